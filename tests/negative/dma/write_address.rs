// The write address in DM is a multiple of eight.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1004); // expect error: E0509 the DM address is no multiple of 8
}
