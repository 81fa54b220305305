// An axis with an unsuitable size gives one error, however often it is divided; a second such axis gives another.
use furiosa_visa_std::prelude::*;

axes![S = 256, Values = 4095, Rows = 30, Whole = 64];

type Chip = m![1];
type Matrix = HbmTensor<i8, Chip, m![S, Values / 8, Values % 8]>; // expect error: E0107 of Values

#[device(chip = 1)]
fn copy(ctx: &mut Context, x: &Matrix) -> HbmTensor<i8, Chip, m![S, Values / 2, Values % 2]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![Values / 8, Values % 8]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}

#[device(chip = 1)]
fn copy_rows(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, Rows / 4]>, // expect error: E0107 of Rows
    y: &HbmTensor<i8, Chip, m![S, Whole / 4, Whole % 4]>,
) -> HbmTensor<i8, Chip, m![S, Whole]> {
    let dm = y.to_dm::<m![1 # 2], m![S], m![Whole]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 20)
}
