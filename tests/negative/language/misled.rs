// Mistakes that are reported once, where they are, and not again where something follows from them.
use furiosa_visa_std::prelude::*;

axes![A = 4096, Empty = 0]; // expect error: E0104 at least 1

type Slice = m![A / 16];
type Copied = DmTensor<i8, m![1], m![1 # 2], Slice, m![A % 16 # 32]>;

#[device(chip = 1)]
fn below_zero(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![A]>) {
    let _ = x.to_dm::<m![1 # 2], Slice, m![A % 16]>(&mut ctx.tdma, -1); // expect error: E0460
}

#[device(chip = 1)]
fn shared(ctx: &Context, x: &HbmTensor<i8, m![1], m![A]>) -> HbmTensor<i8, m![1], m![A]> {
    let x = x.to_dm::<m![1 # 2], Slice, m![A % 16]>(&mut ctx.tdma, 0); // expect error: E0456
    let x: Copied = ctx.main.begin(x.view()).fetch::<i8, m![1], m![A % 16]>().collect().commit(0x1000);
    x.to_hbm(&mut ctx.tdma, 0)
}

fn compared(ctx: &mut Context, x: DmTensor<i8, m![1], m![1 # 2], Slice, m![A % 16]>) {
    let _: Copied = ctx.main.begin(x.view()).fetch<i8, m![1], m![A % 16]>().collect::<m![1], m![A % 16 # 32]>().commit(0); // expect error: E0414
}

#[devise(chip = 1)] // expect error: E0446 device
fn copy(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![A]>) -> HbmTensor<i8, m![1], m![A]> {
    x.to_dm::<m![1 # 2], Slice, m![A % 16]>(&mut ctx.tdma, 0).to_hbm(&mut ctx.tdma, 0)
}

async fn run(x: HbmTensor<i8, m![1], m![A]>) {
    let mut ctx = Context::acquire();
    let _ = launch(copy, (&mut *ctx, &x)).await;
}
