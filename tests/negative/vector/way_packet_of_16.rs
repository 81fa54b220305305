// A flit has eight lanes of 32 bits.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

fn sixteen<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>, // expect error: E0604 16 lanes, must be 8
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_final()
}
