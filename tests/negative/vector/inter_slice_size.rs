// The freed slices are filled: with padding, copies or an axis of time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Wide = 64, R = 4, P = 8];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![Wide], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide], m![1]>(InterSliceReduceOpF32::Add) // expect error: E0752 64 slices, must be 256
        .vector_final()
}
