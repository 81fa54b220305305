// One axis that is too large is one error of each kind, however often it is used.
use furiosa_visa_std::prelude::*;

axes![S = 256, Wide = 4096, Endless = 9223372036854775807];

type Chip = m![1];
type Matrix = HbmTensor<i8, Chip, m![S, Wide # 512]>; // expect error: E0108 `Wide` has 4096 already

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Matrix, y: &HbmTensor<i8, Chip, m![S, Wide # 256]>) -> Matrix {
    let dm = x.to_dm::<m![1 # 2], m![S], m![Wide # 512]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}

#[device(chip = 1)]
fn copy_endless(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, Endless]>, // expect error: E0109 63 bits
) -> HbmTensor<i8, Chip, m![S, Endless]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![Endless, S]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}
