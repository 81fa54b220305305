// The reduction of an i32 stream takes an i32 operation.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 4, A = 2];

fn largest<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpF32::Max) // expect error: E0441 an f32 operation on an i32 stream
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
