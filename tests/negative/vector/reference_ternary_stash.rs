// options: --rules=reference
// The reference library looks at the i32 stash slot in every ternary operation.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn scale<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(31)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (0.5f32, 1.0f32)) // expect error: E0742 the stream entered as i32
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
