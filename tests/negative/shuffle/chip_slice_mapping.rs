// The sliced element leaves the room of B: 1 # 4.
use furiosa_visa_std::prelude::*;

axes![C = 4, S = 256, A = 8, B = 4];

#[device(chip = 4)]
fn diagonal(ctx: &mut Context, input: &HbmTensor<i32, m![C], m![S, B, A]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![B, A]>(&mut ctx.tdma, 0x1000);
    let _part: DmTensor<i32, m![C], m![1 # 2], m![S], m![A]> = ctx
        .sub
        .parallel_copy_chip_slice::<4, m![B], m![A], _, _, _, _, _, _>(dm.view(), &[0, 1, 2, 3]); // expect error: E0521 the sliced element must keep the footprint of B
}
