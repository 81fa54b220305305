// Reductions of unpadded axes: over time, lanes, both; eight slots; every operation.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 16, Q = 2, B = 4, A = 2];

fn time<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}

fn time_and_lanes<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R / 8], m![R % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

fn lanes_of_four<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R / 4], m![R % 4 # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// Two times four values wait for the sum: all eight slots are taken.
fn eight_slots<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R, Q, B], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![Q, B], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![Q, B], m![A # 4]>(IntraSliceReduceOpI32::Min)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}

// Axes outside the reduced one need no slots.
fn outer_axes_are_free<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B, Q, R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B, Q], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![B, Q], m![A # 4]>(IntraSliceReduceOpI32::Max)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
