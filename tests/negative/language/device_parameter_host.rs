// A host tensor must be moved to HBM first.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn pass(
    ctx: &mut Context,
    data: &HostTensor<i32, m![A]>, // expect error: E0459 a HostTensor cannot be a kernel parameter
) {
    let _ = ctx;
    let _ = data;
}
