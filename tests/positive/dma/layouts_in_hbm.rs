// HBM to HBM in pieces of a single byte, with eight loops, through both DMA contexts.
use furiosa_visa_std::prelude::*;

axes![A = 128, B = 8, N = 4, C = 3, H = 8, W = 8];

#[device(chip = 1)]
fn turn(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![N, C, H, W]>) -> HbmTensor<i8, m![1], m![N, H, W, C]> {
    input.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn reverse(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![A, B]>) {
    let _out: HbmTensor<
        i8,
        m![1],
        m![A % 2, A / 2 % 2, A / 4 % 2, A / 8 % 2, A / 16 % 2, A / 32 % 2, A / 64, B],
    > = input.to_hbm(&mut ctx.pdma, 1 << 28);
}
