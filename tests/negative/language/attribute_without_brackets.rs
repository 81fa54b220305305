// An attribute stands in `#[..]`.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#device(chip = 1) // expect error: E0411 `[` is missing
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    a.to_hbm(&mut ctx.tdma, 1 << 28)
}
