// command: run --in input=x.npy
// file: x.npy <i4 256x6 zeros
// Neither with its padding nor without.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 5];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    input: &HbmTensor<i32, m![1], m![S, B # 8]>, // expect error: E0962 (256, 5) or (256, 8)
) -> HbmTensor<i32, m![1], m![S, B # 8]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![B # 8]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
