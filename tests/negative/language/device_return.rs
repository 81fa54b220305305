// A kernel returns HBM tensors or nothing.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn load(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> { // expect error: E0459 a kernel cannot return a DmTensor
    input.to_dm(&mut ctx.tdma, 0)
}
