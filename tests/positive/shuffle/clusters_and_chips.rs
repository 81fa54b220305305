// Clusters swap, chips rotate: entry t of the pattern says where target t reads. What comes of it lies where there is
// room, since a shuffle takes no address.
use furiosa_visa_std::prelude::*;

axes![L = 2, C = 4, S = 256, A = 8];

#[device(chip = 1)]
fn swap(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, A]>) -> HbmTensor<i32, m![1], m![L, S, A]> {
    let dm = input.to_dm::<m![L], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let swapped: DmTensor<i32, m![1], m![L], m![S], m![A]> =
        ctx.tdma.dm_cluster_shuffle::<_, 2, _, _, _, _>(dm.view(), &[1, 0]);
    swapped.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 4)]
fn rotate(ctx: &mut Context, input: &HbmTensor<i32, m![C], m![S, A]>) -> HbmTensor<i32, m![C], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let next: DmTensor<i32, m![C], m![1 # 2], m![S], m![A]> =
        ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(dm.view(), &[1, 2, 3, 0]);
    next.to_hbm(&mut ctx.tdma, 1 << 28)
}
