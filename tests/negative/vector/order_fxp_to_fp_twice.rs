// A stream is converted to float once.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn back_and_forth<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(31)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_concat::<m![1], m![A]>()
        .vector_fp_to_fxp(31)
        .vector_fxp_to_fp(31) // expect error: E0701 FxpToFp cannot follow FpToFxp
        .vector_final()
}
