// In an expression `<` is a comparison.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn stored(ctx: &mut Context) -> HbmTensor<i32, m![1], m![S, A]> {
    let old = unsafe { HbmTensor<i32, m![1], m![S, A]>::from_addr(0) }; // expect error: E0414 `HbmTensor::<`
    old.to_hbm(&mut ctx.tdma, 1 << 28)
}
