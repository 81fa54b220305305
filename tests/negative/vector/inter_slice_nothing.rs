// Everything stays: a sum of one value.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Wide = 64, R = 4, P = 8];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, R], m![1]>(InterSliceReduceOpI32::Add) // expect warning: E0757 nothing is reduced
        .vector_final()
}
