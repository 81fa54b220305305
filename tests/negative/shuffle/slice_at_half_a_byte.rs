// Seven and a half bytes lie inside the axis that is sliced: position 1 starts in the middle of a byte.
use furiosa_visa_std::prelude::*;

axes![C = 4, S = 256, A = 15, B = 4];

#[device(chip = 4)]
fn keep(ctx: &mut Context) -> HbmTensor<i4, m![C], m![S, A # 16]> {
    let dm: DmTensor<i4, m![C], m![1 # 2], m![S], m![B, A]> = unsafe { DmTensor::from_addr(0x1000) };
    let part: DmTensor<i4, _, _, _, m![A # 16]> = ctx
        .sub
        .parallel_copy_chip_slice::<4, m![B], m![1 # 4, A], _, _, _, _, _, _>(dm.view(), &[0, 2, 1, 3]); // expect error: E0539 half a byte
    part.to_hbm(&mut ctx.tdma, 1 << 28)
}
