// The innermost factor of time is used up.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

fn join<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A / 4, B % 2], m![B / 2, A % 4]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_concat::<m![A / 4, B % 2], m![B / 2, A % 4]>() // expect error: E0717 the time must be B
        .vector_final()
}
