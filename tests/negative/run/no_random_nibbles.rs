// command: run --random 1
// The language draws no i4.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    input: &HbmTensor<i4, m![1], m![S, A]>, // expect error: E0974 i4
) -> HbmTensor<i4, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
