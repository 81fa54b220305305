// Reductions over the slices: into padding, into copies, and with an axis of time taking the place.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Wide = 64, R = 4, X = 4, T0 = 2, T1 = 4, T2 = 2, P = 8];

fn into_padding<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, 1 # 4], m![1]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
}

fn into_copies<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, X], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, X], m![1]>(InterSliceReduceOpF32::Mul)
        .vector_final()
}

fn promotion<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, R], m![T0, T1, T2], m![P]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, T1], m![T0, T2], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, T1], m![T0, T2]>(InterSliceReduceOpF32::Add)
        .vector_final()
}

fn all_slices<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![1 # 256], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![1 # 256], m![1]>(InterSliceReduceOpI32::Max)
        .vector_final()
}

fn part_of_an_axis<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide / 2, 1 # 2, R], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide / 2, 1 # 2, R], m![1]>(InterSliceReduceOpI32::Min)
        .vector_final()
}
