// One source for each of the two clusters.
use furiosa_visa_std::prelude::*;

axes![L = 2, S = 256, A = 8];

#[device(chip = 1)]
fn swap(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, A]>) {
    let dm = input.to_dm::<m![L], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let _swapped: DmTensor<i32, m![1], m![L], m![S], m![A]> = ctx
        .tdma
        .dm_cluster_shuffle::<_, 2, _, _, _, _>(dm.view(), &[1, 0, 1]); // expect error: E0551 the pattern has 3 entries for 2 clusters
}
