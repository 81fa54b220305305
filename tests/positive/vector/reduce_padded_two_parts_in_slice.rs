// Two parts of R in the slices, growing outward.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![X = 32, R = 13];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![R # 16 / 8, X, R # 16 / 2 % 4], m![R # 16 % 2], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![R # 16 / 8, X, R # 16 / 2 % 4], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Min)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
