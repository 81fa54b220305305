// The last byte lies beyond the 48 GiB of HBM.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _late = unsafe {
        HbmTensor::<i8, m![1], m![A]>::from_addr((48 << 30) - 1024) // expect error: E0510 the tensor ends beyond HBM
    };
}
