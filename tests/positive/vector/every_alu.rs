// Every ALU of every cluster exactly once in a pass.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn integers<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::BitAnd, 0xff)
        .vector_logic(LogicBinaryOpI32::BitOr, 1)
        .vector_logic(LogicBinaryOpI32::BitXor, 2)
        .vector_logic(LogicBinaryOpI32::LeftShift, 3)
        .vector_logic(LogicBinaryOpI32::ArithRightShift, 1)
        .vector_fxp(FxpBinaryOp::AddFxpSat, 10)
        .vector_fxp(FxpBinaryOp::LeftShift, 2)
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_fxp(FxpBinaryOp::LogicRightShift, 1)
        .vector_clip(ClipBinaryOpI32::AddFxp, 5)
        .vector_clip(ClipBinaryOpI32::Max, -100)
        .vector_clip(ClipBinaryOpI32::Min, 100)
        .vector_final()
}

fn floats<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 2.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 3.0f32)
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode10, 1.0f32)
        .vector_concat::<m![1], m![A]>()
        .vector_clip(ClipBinaryOpF32::Add, 1.0f32)
        .vector_clip(ClipBinaryOpF32::AbsMax, 1.0f32)
        .vector_clip(ClipBinaryOpF32::AbsMin, 8.0f32)
        .vector_final()
}

fn fused<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpF32::BitAnd, 1.0f32)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (2.0f32, 3.0f32))
        .vector_fp_unary(FpUnaryOp::Tanh)
        .vector_fp_unary(FpUnaryOp::NegExp)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
