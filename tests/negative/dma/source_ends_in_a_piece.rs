// The target cuts S into pieces of four, but the source has fifteen positions: the last piece takes its own command.
use furiosa_visa_std::prelude::*;

axes![S = 15, A = 64];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) {
    let _dm = input
        .to_dm::<m![1 # 2], m![S # 16 / 4, A / 8 # 64], m![S # 16 % 4, A % 8]>(&mut ctx.tdma, 0); // expect warning: E0540 the source ends inside the last one
}
