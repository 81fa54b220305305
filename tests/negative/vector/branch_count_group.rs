// Two axes are padded together, and then cut across.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 5, P = 8];

fn count<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![[A, B # 6] # 24 / 4], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![[A, B # 6] # 24 / 4], m![P]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount) // expect error: E0772 padding of A and B together
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
}
