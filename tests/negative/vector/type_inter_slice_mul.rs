// Only floats are multiplied over the slices.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Q = 64, R = 4, A = 8];

fn product<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Q, R], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Q, 1 # 4], m![1], m![A]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Q, 1 # 4], m![1]>(InterSliceReduceOpI32::Mul) // expect error: E0420 InterSliceReduceOpI32 has no Mul
        .vector_final()
}
