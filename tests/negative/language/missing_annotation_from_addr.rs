// from_addr says where, a type must say what.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn note(ctx: &mut Context) {
    let _ = ctx;
    let _scratch = unsafe { HbmTensor::from_addr(1 << 28) }; // expect error: E0431 the type of from_addr cannot be inferred
}
