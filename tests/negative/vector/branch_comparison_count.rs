// Four comparisons make the four bits.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn signs<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([InputCmp::I32(InputCmpI32::True), InputCmp::I32(InputCmpI32::False), InputCmp::I32(InputCmpI32::Less { boundary: 0 })])) // expect error: E0430 three comparisons, must be four
        .vector_final()
}
