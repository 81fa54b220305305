// An interleaved pass reads two tensors; the result may touch neither.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2];

#[device(chip = 1)]
fn add(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], m![S, A]>,
    b: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let a = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0x1000);
    let sum = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(a.view(), b.view())
        .fetch::<i32, m![I], m![A]>()
        .collect::<m![I], m![A]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_final()
        .commit::<m![A]>(0x1008); // expect error: E0572 overlaps b, which this pass reads
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}
