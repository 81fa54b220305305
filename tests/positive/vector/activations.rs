// Activations that need their input twice: it is kept in the stash.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8, D = 3];

// x * sigmoid(x)
fn silu<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_unary(FpUnaryOp::Sigmoid)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), Stash)
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}

// tanh(0.8 * (x + 0.045 * x^3)), the inside of a gelu, stashed in stage Narrow.
fn gelu_inside<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![D # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![D # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![D # 4]>()
        .vector_stash()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), Stash)
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode021, (Stash, 0.045f32))
        .vector_fp_unary(FpUnaryOp::Tanh)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 1.25f32)
        .vector_pad_way8::<m![D # 8]>()
        .vector_final()
}

// max(x, 0.1 * x), and never above 6.
fn leaky<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.1f32)
        .vector_concat::<m![B], m![A]>()
        .vector_clip(ClipBinaryOpF32::Max, Stash)
        .vector_clip(ClipBinaryOpF32::Min, 6.0f32)
        .vector_final()
}

// erf has an ALU, although the reference library cannot run it.
fn gelu_exact<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 0.70710677f32)
        .vector_fp_unary(FpUnaryOp::Erf)
        .vector_fp_ternary(FpTernaryOp::FmaF, (0.5f32, 0.5f32))
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), Stash)
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}
