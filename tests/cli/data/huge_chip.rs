use furiosa_visa_std::prelude::*;

axes![A = 1099511627776, R = 256, C = 64];

// Refused in good time: nobody looks at the positions of its chips one by one.
#[device(chip = 1)]
fn spread(ctx: &mut Context, x: &HbmTensor<i32, m![C, A], m![R, C]>) -> HbmTensor<i32, m![C, A], m![R, C]> {
    x.to_hbm::<_, m![R, C]>(&mut ctx.tdma, 1 << 28)
}
