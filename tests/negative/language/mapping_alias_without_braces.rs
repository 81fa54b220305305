// A mapping is inserted by its name in braces.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Row = m![A];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], m![S, Row]>, // expect error: E0427 Row is no axis
) -> HbmTensor<i32, m![1], m![S, A]> {
    a.to_hbm(&mut ctx.tdma, 1 << 28)
}
