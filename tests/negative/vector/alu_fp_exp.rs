// Both operations need FpExp, and it works once a pass.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn twice<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_unary(FpUnaryOp::NegExp) // expect error: E0720 FpExp is already in use
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
