// The columns become rows on the way: neighbours in DM are far apart in HBM, two bytes each.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 16];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<bf16, m![1], m![S, A, B]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![B, A]>(&mut ctx.tdma, 0); // expect error: E0537 pieces of 2 bytes, DM needs 8
}
