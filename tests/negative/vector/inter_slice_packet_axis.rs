// P cannot come out of the packet into the slices.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Wide = 32, R = 8, P = 8];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, P], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, P], m![1]>(InterSliceReduceOpI32::Add) // expect error: E0759 time does not hold P
        .vector_final()
}
