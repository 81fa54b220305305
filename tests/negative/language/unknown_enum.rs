// The enumeration of branch modes is BranchMode.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn pass<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchModes::Unconditional) // expect error: E0420 unknown name BranchModes, BranchMode is near
        .vector_final()
}
