// A name that has a wrong size is reported once, with the places where it is used.
use furiosa_visa_std::prelude::*;

axes![S = 128, A = 32];

type Slice = m![S];

#[device(chip = 1)]
fn twice(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) {
    let _first = x.to_dm::<m![1 # 2], Slice, m![A]>(&mut ctx.tdma, 0); // expect error: E0503 128 positions
    let _second: DmTensor<i32, m![1], m![1 # 2], Slice, m![A]> = x.to_dm(&mut ctx.tdma, 0x1000);
}

#[device(chip = 1)]
fn again(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A]>) {
    let _third = x.to_dm::<m![1 # 2], Slice, m![A]>(&mut ctx.tdma, 0);
    let _written = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000); // expect error: E0503 128 positions
}
