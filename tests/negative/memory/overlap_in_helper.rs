// One helper writes both results, which overlap: the calls are what differs.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Rows = HbmTensor<i32, m![1], m![S, A]>;

fn store(ctx: &mut Context, dm: &DmTensor<i32, m![1], m![1 # 2], m![S], m![A]>, address: u64) -> Rows {
    dm.to_hbm(&mut ctx.tdma, address) // expect error: E0571 the second call writes over the first
}

#[device(chip = 1)]
fn spill(ctx: &mut Context, a: &Rows, b: &Rows) -> (Rows, Rows) {
    let a = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let one = store(ctx, &a, 1 << 28);
    let two = store(ctx, &b, (1 << 28) + 256);
    (one, two)
}
