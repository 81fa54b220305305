// Cluster 1 receives what it sends; cluster 0 does, too.
use furiosa_visa_std::prelude::*;

axes![L = 2, S = 256, A = 8];

#[device(chip = 1)]
fn spread(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, A]>) {
    let dm = input.to_dm::<m![L], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let _one: DmTensor<i32, m![1], m![L], m![S], m![A]> = ctx
        .tdma
        .dm_cluster_shuffle::<_, 2, _, _, _, _>(dm.view(), &[1, 1]); // expect warning: E0554 cluster 0 goes nowhere
}
