// A result may take the place of the input where it is written in the order of reading.
use furiosa_visa_std::prelude::*;

axes![S = 256, X = 4, Y = 4, A = 8];

#[device(chip = 1)]
fn bump(ctx: &mut Context, a: &HbmTensor<i32, m![1], m![S, X, Y, A]>) -> HbmTensor<i32, m![1], m![S, X, Y, A]> {
    let a = a.to_dm::<m![1 # 2], m![S], m![X, Y, A]>(&mut ctx.tdma, 0);
    let out = ctx
        .main
        .begin(a.view())
        .fetch::<i32, m![Y, X], m![A]>()
        .collect::<m![Y, X], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
        .commit::<m![X, Y, A]>(0);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
