// There is no cluster 2.
use furiosa_visa_std::prelude::*;

axes![L = 2, S = 256, A = 8];

#[device(chip = 1)]
fn swap(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, A]>) {
    let dm = input.to_dm::<m![L], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let _swapped: DmTensor<i32, m![1], m![L], m![S], m![A]> = ctx
        .tdma
        .dm_cluster_shuffle::<_, 2, _, _, _, _>(dm.view(), &[1, 2]); // expect error: E0552 cluster 2 does not exist
}
