// Elements of half a byte: what lies inside the axis that is sliced is padded to whole bytes.
use furiosa_visa_std::prelude::*;

axes![C = 4, S = 256, A = 15, B = 4];

#[device(chip = 4)]
fn keep(ctx: &mut Context, input: &HbmTensor<i4, m![C], m![S, B, A # 16]>) -> HbmTensor<i4, m![C], m![S, A # 16]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![B, A # 16]>(&mut ctx.tdma, 0x1000);
    let part: DmTensor<i4, _, _, _, m![A # 16]> = ctx
        .sub
        .parallel_copy_chip_slice::<4, m![B], m![1 # 4, A # 16], _, _, _, _, _, _>(dm.view(), &[0, 2, 1, 3]);
    part.to_hbm(&mut ctx.tdma, 1 << 28)
}
