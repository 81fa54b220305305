// The HBM of each chip goes to the next.
use furiosa_visa_std::prelude::*;

axes![C = 4, S = 256, A = 8];

#[device(chip = 4)]
fn turn(ctx: &mut Context, input: &HbmTensor<i32, m![C], m![S, A]>) {
    let _turned = ctx.tdma.hbm_chip_shuffle(input, &[1, 2, 3, 0]);
}
