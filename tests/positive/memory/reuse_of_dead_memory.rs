// The address of a tensor nobody reads any more is free again; the order of the writes is kept.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn twice(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let first = a.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let bumped = ctx
        .main
        .begin(first.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
        .commit::<m![A]>(0x1000);
    let again = ctx
        .main
        .begin(bumped.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_final()
        .commit::<m![A]>(0);
    again.to_hbm(&mut ctx.tdma, 1 << 28)
}
