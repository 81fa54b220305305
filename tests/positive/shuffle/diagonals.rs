// Each chip, and each cluster, keeps another position of one axis.
use furiosa_visa_std::prelude::*;

axes![L = 2, C = 4, S = 256, A = 8, B = 4];

#[device(chip = 4)]
fn of_chips(ctx: &mut Context, input: &HbmTensor<i32, m![C], m![S, B, A]>) -> HbmTensor<i32, m![C], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![B, A]>(&mut ctx.tdma, 0x1000);
    let part: DmTensor<i32, _, _, _, m![A]> = ctx
        .sub
        .parallel_copy_chip_slice::<4, m![B], m![1 # 4, A], _, _, _, _, _, _>(dm.view(), &[0, 1, 2, 3]);
    part.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn of_clusters(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, B, A]>) -> HbmTensor<i32, m![1], m![L, S, A]> {
    let dm = input.to_dm::<m![L], m![S], m![B, A]>(&mut ctx.tdma, 0x1000);
    let part: DmTensor<i32, _, _, _, m![A]> = ctx
        .sub
        .parallel_copy_cluster_slice::<2, m![B], m![1 # 4, A], _, _, _, _, _, _>(dm.view(), &[3, 0]);
    part.to_hbm(&mut ctx.tdma, 1 << 28)
}
