// Seven i4 values are three bytes and a half.
use furiosa_visa_std::prelude::*;

axes![A = 7];

#[device(chip = 1)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _odd = unsafe {
        HbmTensor::<i4, m![1], m![A]>::from_addr(0) // expect error: E0507 7 elements of 4 bits are no whole bytes
    };
}
