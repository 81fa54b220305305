// Packets of the two tensors alternate.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32, T = 4, I = 2];

#[device(chip = 1)]
fn both(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, T, A]>, y: &HbmTensor<i8, m![1], m![S, T, A]>) {
    let x = x.to_dm::<m![1 # 2], m![S], m![T, A]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<m![1 # 2], m![S], m![T, A]>(&mut ctx.tdma, 0x1000);
    let _stream = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i8, m![I, T], m![A]>(); // expect error: E0608 I is not innermost
}
