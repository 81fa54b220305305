// Copies go into the slices, not into time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Wide = 64, R = 4, X = 2, P = 8];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, 1 # 4], m![X], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, 1 # 4], m![X]>(InterSliceReduceOpF32::Add) // expect error: E0755 X is a new axis in time
        .vector_final()
}
