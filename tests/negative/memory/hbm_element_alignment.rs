// A bf16 starts at an even address.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _odd = unsafe {
        HbmTensor::<bf16, m![1], m![A]>::from_addr(0x1001) // expect error: E0509 the address is no multiple of 2
    };
}
