// From DM to DM the write side keeps its units of eight.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 4];

#[device(chip = 1)]
fn turn(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A, B]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B]>(&mut ctx.tdma, 0);
    let _turned = dm
        .to_dm::<m![S], m![B, A]>(&mut ctx.tdma, 0x1000); // expect error: E0537 pieces of 1 byte, DM needs 8
}
