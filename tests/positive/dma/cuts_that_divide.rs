// Four divides eight, so the axis falls into pieces of which either side is made.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 24, P = 8];

#[device(chip = 1)]
fn load(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A % 4, A / 4, P]>) {
    let _dm = input.to_dm::<m![1 # 2], m![S], m![A % 8, A / 8, P]>(&mut ctx.tdma, 0);
}
