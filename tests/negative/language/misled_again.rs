// More mistakes that are reported once, where they are.
use furiosa_visa_std::prelude::*;

axes![A = 4096];

type Slice = A / 16; // expect error: E0407 m![A / 16]

#[device(chip = 1)]
fn load(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![A]>) {
    let _ = x.to_dm::<m![1 # 2], Slice, m![A % 16]>(&mut ctx.tdma, 0);
}

#[test]
fn first() {
    let _ = unknown((0..4).collect()); // expect error: E0420
}

#[test]
fn second() {
    let _ = unknown((0..4).collect());
}

fn open() -> i32 {
    let x = 1;
    x + 1

async fn three() -> i32 { // expect error: E0403 open is not closed
    open() + 2
}

async fn four() -> i32 {
    three().await + 1
}
