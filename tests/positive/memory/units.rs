// Two clusters in use, one in use, and slices that are only partly used.
use furiosa_visa_std::prelude::*;

axes![L = 2, S = 256, P = 100, A = 8, B = 4096];

#[device(chip = 1)]
fn both_clusters(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![L, S, A]>) {
    let _dm = a.to_dm::<m![L], m![S], m![A]>(&mut ctx.tdma, 0);
}

#[device(chip = 1)]
fn hundred_slices(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![P, A]>) {
    let _dm = a.to_dm::<m![1 # 2], m![P # 256], m![A]>(&mut ctx.tdma, 0);
}

#[device(chip = 1)]
fn one_slice(ctx: &mut Context, a: &HbmTensor<i8, m![1], m![B]>) {
    let _dm = a.to_dm::<m![1 # 2], m![1 # 256], m![B]>(&mut ctx.tdma, 0);
}

#[device(chip = 1)]
fn axis_over_three_levels(ctx: &mut Context, a: &HbmTensor<i8, m![1], m![B]>) {
    let _dm = a.to_dm::<m![B / 2048], m![B / 8 % 256], m![B % 8]>(&mut ctx.tdma, 0);
}
