// A move keeps every axis: B has no place in the target.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 4];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![B, S, A]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0); // expect error: E0535 axis B of the source is not in the target
}
