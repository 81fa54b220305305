// Interleaved tensors are laid out alike.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32, B = 32, I = 2];

#[device(chip = 1)]
fn both(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![S, A]>, y: &HbmTensor<i8, m![1], m![S, B]>) {
    let x = x.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<m![1 # 2], m![S], m![B]>(&mut ctx.tdma, 0x1000);
    let _stream = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view()) // expect error: E0430 the two views have different mappings
        .fetch::<i8, m![I], m![A]>();
}
