// Which chip gets which data is fixed when the kernel is compiled.
use furiosa_visa_std::prelude::*;

axes![C = 4, S = 256, A = 8];

#[device(chip = 4)]
fn rotate(ctx: &mut Context, input: &HbmTensor<i32, m![C], m![S, A]>, by: usize) -> HbmTensor<i32, m![C], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let turned: DmTensor<i32, m![C], m![1 # 2], m![S], m![A]> =
        ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(dm.view(), &[by, 2, 3, 0]); // expect error: E0461 the pattern comes with the launch
    turned.to_hbm(&mut ctx.tdma, 1 << 28)
}
