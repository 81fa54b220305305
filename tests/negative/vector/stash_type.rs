// An i32 stash is no operand of an f32 operation.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn residual<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_fxp_to_fp(31)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, Stash) // expect error: E0740 an i32 stash in an f32 operation
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

// An f32 stash, taken after the conversion, is not an operand of an i32 operation.
fn converted_back<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(31)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_concat::<m![1], m![A]>()
        .vector_fp_to_fxp(31)
        .vector_clip(ClipBinaryOpI32::Max, Stash) // expect error: E0740 an f32 stash in an i32 operation
        .vector_final()
}
