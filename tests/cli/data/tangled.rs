use furiosa_visa_std::prelude::*;

axes![P = 49, Q = 10, S = 10000019];

// A composite cut inside its digits: no padding anywhere, so one run holds all positions.
#[device(chip = 1)]
fn whole(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![[P, Q] / 7, S, [P, Q] % 7]>) -> HbmTensor<i8, m![1], m![[P, Q] / 7, S, [P, Q] % 7]> {
    x.to_hbm::<_, m![[P, Q] / 7, S, [P, Q] % 7]>(&mut ctx.tdma, 1 << 34)
}

// With padding inside, the positions that are data would have to be told one by one.
#[device(chip = 1)]
fn padded(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![[P, Q # 12] / 7, S, [P, Q # 12] % 7]>) -> HbmTensor<i8, m![1], m![[P, Q # 12] / 7, S, [P, Q # 12] % 7]> {
    x.to_hbm::<_, m![[P, Q # 12] / 7, S, [P, Q # 12] % 7]>(&mut ctx.tdma, 1 << 34)
}
