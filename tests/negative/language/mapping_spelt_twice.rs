// The two mappings have the same cells, but are two types.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let out: HbmTensor<i32, m![1], m![S / 2, S % 2, A]> = a.to_hbm(&mut ctx.tdma, 1 << 28);
    out // expect warning: E0443 `S / 2, S % 2` is `S`
}
