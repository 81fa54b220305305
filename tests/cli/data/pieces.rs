// The target cuts S into pieces of four; the source ends inside the last one, with and without padding.
use furiosa_visa_std::prelude::*;

axes![S = 15, A = 512];

type Rows = DmTensor<i32, m![1], m![1 # 2], m![S # 16 / 4, A / 8], m![S # 16 % 4, A % 8]>;

#[device(chip = 1)]
fn unpadded(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) {
    let _rows: Rows = x.to_dm(&mut ctx.tdma, 0x1000);
}

#[device(chip = 1)]
fn padded(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S # 16, A]>) {
    let _rows: Rows = x.to_dm(&mut ctx.tdma, 0x1000);
}
