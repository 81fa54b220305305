// command: run --in input=x.npy
// file: x.npy <u4 256x8 zeros
// Bit patterns of bf16 have 16 bits.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    input: &HbmTensor<bf16, m![1], m![S, A]>, // expect error: E0963 of uint32
) -> HbmTensor<bf16, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
