// Two tensors of one layout alternate along a new axis of size 2, outermost or innermost in time.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 32, I = 2];

#[device(chip = 1)]
fn alternate(
    ctx: &mut Context,
    x: &HbmTensor<i8, m![1], m![S, A, B]>,
    y: &HbmTensor<i8, m![1], m![S, A, B]>,
) -> HbmTensor<i8, m![1], m![S, A, I, B]> {
    let x = x.to_dm::<m![1 # 2], m![S], m![A, B]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<m![1 # 2], m![S], m![A, B]>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i8, m![1], m![1 # 2], m![S], m![A, I, B]> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i8, m![A, I], m![B]>()
        .collect::<m![A, I], m![B]>()
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
