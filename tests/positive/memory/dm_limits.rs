// A tensor that fills DM to the last byte, and one that ends exactly there.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 524288, B = 1024];

#[device(chip = 1)]
fn fill(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![A]>) {
    let _dm = input.to_dm::<m![1 # 2], m![1 # 256], m![A]>(&mut ctx.tdma, 0);
}

#[device(chip = 1)]
fn end(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, B]>) {
    let _dm = input.to_dm::<m![1 # 2], m![S], m![B]>(&mut ctx.tdma, 512 * 1024 - 1024);
}
