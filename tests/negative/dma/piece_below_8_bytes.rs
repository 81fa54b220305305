// Every slice would get four bytes; DM is written in units of eight.
use furiosa_visa_std::prelude::*;

axes![B = 512];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<bf16, m![1], m![B]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![B / 2], m![B % 2]>(&mut ctx.tdma, 0); // expect error: E0537 pieces of 4 bytes, DM needs 8
}
