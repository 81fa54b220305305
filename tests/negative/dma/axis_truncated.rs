// Half of A has no place in the target.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![A = 8]>(&mut ctx.tdma, 0); // expect error: E0535 the target holds 8 of 16 positions of A
}
