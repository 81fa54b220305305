// One reduction over the slices a pass.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Q = 64, R = 4, A = 8];

fn two_rounds<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Q, R], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Q, 1 # 4], m![1], m![A]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Q, 1 # 2, R % 2], m![1]>(InterSliceReduceOpI32::Add)
        .vector_inter_slice_reduce::<m![Q, 1 # 4], m![1]>(InterSliceReduceOpI32::Add) // expect error: E0751 no second inter-slice reduce
        .vector_final()
}
