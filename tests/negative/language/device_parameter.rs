// DM lives on the chip: a DM tensor cannot be handed to a kernel from outside.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn pass(
    ctx: &mut Context,
    dm: &DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>, // expect error: E0459 a DmTensor cannot be a kernel parameter
) {
    let _ = ctx;
    let _ = dm;
}
