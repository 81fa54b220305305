// Chips count from 0 to 3.
use furiosa_visa_std::prelude::*;

axes![C = 4, S = 256, A = 8];

#[device(chip = 4)]
fn rotate(ctx: &mut Context, input: &HbmTensor<i32, m![C], m![S, A]>) {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let _next: DmTensor<i32, m![C], m![1 # 2], m![S], m![A]> = ctx
        .tdma
        .dm_chip_shuffle::<_, 4, _, _, _, _>(dm.view(), &[1, 2, 3, 4]); // expect error: E0552 chip 4 does not exist
}
