//! Element may pad an axis of Time further than the stream does: a stride steps over the padding. So may a group of axes.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 8, Q = 5, R = 7, C = 2];

#[device(chip = 1)]
fn axis(ctx: &mut Context, x: &HbmTensor<i32, m![1], m![S, A, C, B]>) -> HbmTensor<i32, m![1], m![S, C, A, B]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A, C, B]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, m![1], m![1 # 2], m![S], m![C # 3, A # 4, B]> =
        ctx.main.begin(dm.view()).fetch::<i32, m![A, C], m![B]>().collect::<m![A, C], m![B]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn group(ctx: &mut Context, x: &HbmTensor<f32, m![1], m![S, [Q, R] # 40]>) -> HbmTensor<f32, m![1], m![S, Q, R]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![[Q, R] # 40]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, m![1], m![1 # 2], m![S], m![[Q, R] # 48]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![[Q, R] # 40 / 8], m![[Q, R] # 40 % 8]>()
        .collect::<m![[Q, R] # 40 / 8], m![[Q, R] # 40 % 8]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Five adjacent flits of a group, and other axes in a different order.
#[device(chip = 1)]
fn flits(ctx: &mut Context, x: &HbmTensor<f32, m![1], m![S, A, C, [Q, B]]>) -> HbmTensor<f32, m![1], m![S, C, A, Q, B]> {
    let dm = x.to_dm::<m![1 # 2], m![S], m![A, C, Q, B]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, m![1], m![1 # 2], m![S], m![C, A, Q, B]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![A, C], m![Q, B]>()
        .collect::<m![A, C, [Q, B] / 8], m![[Q, B] % 8]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
