// Functions and kernels that return several tensors, taken apart by a pattern.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type InHbm = HbmTensor<i32, m![1], m![S, A]>;
type InDm = DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>;

fn load_two(ctx: &mut Context, x: &InHbm, y: &InHbm) -> (InDm, InDm) {
    let x = x.to_dm(&mut ctx.tdma, 0);
    let y = y.to_dm(&mut ctx.tdma, 0x1000);
    (x, y)
}

#[device(chip = 1)]
fn swap(ctx: &mut Context, x: &InHbm, y: &InHbm) -> (InHbm, InHbm) {
    let (x, y) = load_two(ctx, x, y);
    // The type of this tensor is only known from the tuple it is returned in.
    let first = y.to_hbm(&mut ctx.tdma, 1 << 28);
    (first, x.to_hbm(&mut ctx.tdma, 2 << 28))
}
