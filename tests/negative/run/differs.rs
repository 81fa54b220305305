// command: run --in input=x.npy --compare y.npy --tolerance 0.5
// file: x.npy <i4 2048 range
// file: y.npy <i4 2048 zeros
// A copy of something is not nothing.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> { // expect error: E0973 the last one is furthest off
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
