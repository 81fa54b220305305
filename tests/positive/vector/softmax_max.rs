// The largest value of each row, for a softmax: lanes through the tree, time steps in accumulators.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, K = 1024, L = 1000];

fn whole_rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, K / 8], m![K % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, K / 4], m![K % 4]>()
        .vector_intra_slice_reduce::<K, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// Rows that end inside a packet: the valid count leaves the rest out.
fn ragged_rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, L # 1024 / 8], m![L # 1024 % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, L # 1024 / 4], m![L # 1024 % 4]>()
        .vector_intra_slice_reduce::<L, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// Rows side by side in the lanes, and the row index outside: four accumulators.
fn rows_in_lanes<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![K, B / 4 # 4], m![B % 4 # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B / 4 # 4], m![B % 4 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![B % 4]>()
        .vector_intra_slice_reduce::<K, m![B / 4 # 4], m![B % 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![B % 4 # 8]>()
        .vector_final()
}
