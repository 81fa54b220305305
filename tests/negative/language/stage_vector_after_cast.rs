// The Cast Engine comes behind the Vector Engine.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn bump<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .cast::<f32, m![A]>()
        .vector_init() // expect error: E0601 no vector_init after cast
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_final()
}
