// The Vector Engine belongs to the main context.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

#[device(chip = 1)]
fn bump(ctx: &mut Context, input: &HbmTensor<i32, m![1], m![S, A]>) -> HbmTensor<i32, m![1], m![S, A]> {
    let dm = input.to_dm::<m![1 # 2], m![S], m![A]>(&mut ctx.tdma, 0);
    let flits = ctx.sub.begin(dm.view()).fetch::<i32, m![1], m![A]>().collect::<m![1], m![A]>();
    let out: DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> = flits.vector_init().vector_intra_slice_branch(BranchMode::Unconditional).vector_fxp(FxpBinaryOp::AddFxp, 1).vector_final().commit(0x1000); // expect error: E0602 no Vector Engine before a commit of the sub context
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
