// Four chips: each holds a quarter, or all but one stand idle.
use furiosa_visa_std::prelude::*;

axes![C = 4, S = 256, A = 8];

#[device(chip = 4)]
fn quarters(ctx: &mut Context, a: &HbmTensor<i32, m![C], m![S, A]>) -> HbmTensor<i32, m![C], m![S, A]> {
    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 4)]
fn one_of_four(ctx: &mut Context, a: &HbmTensor<i32, m![1 # 4], m![S, A]>) -> HbmTensor<i32, m![1 # 4], m![S, A]> {
    let dm = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}
