// An i32 reduction adds with saturation; there is no wrapping add.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 4, A = 2];

fn total<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpI32::Add) // expect error: E0420 IntraSliceReduceOpI32 has no Add
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
