// The two halves follow each other innermost in time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

fn halves<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4, B], m![A % 4]>() // expect error: E0714 the time must be B, A / 4
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}
