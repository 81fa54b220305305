// The operation must be the one for i32.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Q = 64, R = 4, A = 8];

fn total<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Q, R], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Q, 1 # 4], m![1], m![A]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Q, 1 # 4], m![1]>(InterSliceReduceOpF32::Add) // expect error: E0441 an f32 operation on an i32 stream
        .vector_final()
}
