// Five axes are padded, and four can be followed.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 3, C = 3, D = 3, P = 7];

fn count<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A # 4, B # 4, C # 4, D # 4], m![P # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A # 4, B # 4, C # 4, D # 4], m![P # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount) // expect error: E0773 five padded axes
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
}
