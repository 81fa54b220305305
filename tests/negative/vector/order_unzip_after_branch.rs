// Two groups are opened right after vector_init.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2];

fn unzip_late<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>() // expect error: E0434 no unzip after a branch
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_final()
}
