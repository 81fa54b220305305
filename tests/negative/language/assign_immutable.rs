// Only `let mut` variables can be assigned again.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn twice(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = input.to_dm(&mut ctx.tdma, 0);
    dm = input.to_dm(&mut ctx.tdma, 0x1000); // expect error: E0456 dm is not mutable
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
