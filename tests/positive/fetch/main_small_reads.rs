// The main context may read four bytes at a time, where the sub context needs eight.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 2, C = 4];

#[device(chip = 1)]
fn gather(ctx: &mut Context, input: &HbmTensor<i8, m![1], m![S, A, B, C]>) -> HbmTensor<i8, m![1], m![S, B, A, C]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A, B, C]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(dm.view())
        .fetch::<i8, m![B], m![A, C]>()
        .collect::<m![B], m![A, C]>()
        .commit::<m![B, A, C]>(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
