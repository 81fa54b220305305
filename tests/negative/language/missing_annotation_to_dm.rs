// Nothing says how the tensor is laid out in DM.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![A]>) {
    let _dm = input
        .to_dm(&mut ctx.tdma, 0); // expect error: E0431 the target mappings of to_dm cannot be inferred
}
