// On the way into DM the HBM address is a multiple of eight, too.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context) {
    let input = unsafe { HbmTensor::<i32, m![1], m![S, A]>::from_addr(0x1004) };
    let _dm = input
        .to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0); // expect error: E0539 the HBM address is no multiple of 8
}
