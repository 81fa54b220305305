// Tensors are added in a pass.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn sum(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) {
    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let _twice = &dm + &dm; // expect error: E0440 tensors have no operators
}
