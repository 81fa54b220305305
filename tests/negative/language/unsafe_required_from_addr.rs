// Naming memory by its address is unsafe.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _scratch = HbmTensor::<i32, m![1], m![A]>::from_addr(1 << 28); // expect error: E0457 from_addr needs unsafe
}
