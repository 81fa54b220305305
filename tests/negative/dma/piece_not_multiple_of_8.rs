// Pieces of twelve bytes cannot be cut into units of eight.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 3];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<f32, m![1], m![S, B]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![B]>(&mut ctx.tdma, 0); // expect error: E0537 pieces of 12 bytes, DM needs a multiple of 8
}
