// Work inside the slices comes before or after the inter-slice reduction, not both.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Q = 64, R = 4, A = 8];

fn both_sides<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Q, R], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Q, 1 # 4], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_inter_slice_reduce::<m![Q, 1 # 4], m![1]>(InterSliceReduceOpI32::Add)
        .vector_intra_slice_branch(BranchMode::Unconditional) // expect error: E0703 no branch after intra and inter-slice work
        .vector_final()
}
