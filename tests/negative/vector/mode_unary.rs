// A unary operation takes a unary mode.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn exp<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_unary_with_mode(FpUnaryOp::Exp, BinaryArgMode::Mode00) // expect error: E0430 expected UnaryArgMode, found BinaryArgMode
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
