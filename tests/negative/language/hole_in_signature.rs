// The type of an item is written out.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], _>, // expect error: E0428 `_` cannot be inferred here
) -> HbmTensor<i32, m![1], m![S, A]> {
    a.to_hbm(&mut ctx.tdma, 1 << 28)
}
