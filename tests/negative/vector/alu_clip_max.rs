// Both operations need ClipMax, and it works once a pass.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn twice<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_clip(ClipBinaryOpF32::AbsMax, 1.0f32) // expect error: E0720 ClipMax is already in use
        .vector_final()
}
