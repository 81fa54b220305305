// Every fourth slice is padding: fetch sets it to 0, a product leaves it 0, and the sum is right.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![W = 64, R = 3, P = 8];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![W, R # 4], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![W, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 100)
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpI32::Add)
        .vector_final()
}
