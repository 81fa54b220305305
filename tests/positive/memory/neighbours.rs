// Tensors that touch but do not overlap: 32 bytes each, back to back.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn sum(
    ctx: &mut Context,
    a: &HbmTensor<i32, m![1], m![S, A]>,
    b: &HbmTensor<i32, m![1], m![S, A]>,
) -> HbmTensor<i32, m![1], m![S, A]> {
    let a = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let b = b.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 32);
    let b: VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]> =
        ctx.sub.begin(b.view()).fetch::<i32, m![1], m![A]>().collect::<m![1], m![A]>().to_vrf(0);
    let sum = ctx
        .main
        .begin(a.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, &b)
        .vector_final()
        .commit::<m![A]>(64);
    sum.to_hbm(&mut ctx.tdma, 1 << 28)
}
