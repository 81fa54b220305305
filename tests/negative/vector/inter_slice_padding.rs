// Every fourth slice is padding. Fetch sets it to 0, which would not change a sum, but here 100 is added to it first.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![W = 64, R = 3, P = 8];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![W, R # 4], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![W, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 100)
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpI32::Add) // expect error: E0758 R has 3 of 4 slices
        .vector_final()
}
