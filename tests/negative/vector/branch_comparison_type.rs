// The stream holds f32, the comparison is for i32.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn signs<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([InputCmp::I32(InputCmpI32::True), InputCmp::I32(InputCmpI32::True), InputCmp::I32(InputCmpI32::True), InputCmp::I32(InputCmpI32::Less { boundary: 0 })])) // expect error: E0733 an i32 comparison on an f32 stream
        .vector_final()
}
