// The element has no axis C to slice.
use furiosa_visa_std::prelude::*;

axes![L = 2, S = 256, A = 8, B = 4, C = 4];

#[device(chip = 1)]
fn pick(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![L, S, B, A]>) {
    let dm = input.to_dm::<m![L], m![S], m![B, A]>(&mut ctx.tdma, 0x1000);
    let _part: DmTensor<i32, m![1], m![L], m![S], m![B, A]> = ctx
        .sub
        .parallel_copy_cluster_slice::<2, m![C], m![B, A], _, _, _, _, _, _>(dm.view(), &[0, 1]); // expect error: E0122 C is not in the element
}
