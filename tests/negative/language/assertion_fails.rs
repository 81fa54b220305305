// The assertion is about shapes, so data cannot change it.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    assert!(<m![S, A]>::SIZE <= 1024); // expect error: E0454 2048 positions
    a.to_hbm(&mut ctx.tdma, 1 << 28)
}
