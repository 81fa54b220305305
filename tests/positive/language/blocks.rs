// Blocks as values: an address and a tensor made in a scope of their own.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn kernel(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let address = {
        let base = 0x1000;
        base + 0x20
    };
    let dm = {
        let first: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = input.to_dm(&mut ctx.tdma, address);
        first
    };
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
