// Functions begin with `fn`.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
func copy(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> { // expect error: E0413 `fn`
    a.to_hbm(&mut ctx.tdma, 1 << 28)
}
