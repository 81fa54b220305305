// From accumulators to i8: scale, zero point, limits, cast; and back from i8 to floats.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 16, N = 8];

fn by_shift<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![M], m![N]>,
    factor: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![N]>,
) -> CastTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M], m![N # 32]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulFxp, factor)
        .vector_fxp(FxpBinaryOp::ArithRightShiftRound, 8)
        .vector_fxp(FxpBinaryOp::AddFxpSat, -3)
        .vector_clip(ClipBinaryOpI32::Max, -128)
        .vector_clip(ClipBinaryOpI32::Min, 127)
        .vector_final()
        .cast::<i8, m![N # 32]>()
}

fn by_float<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![M], m![N]>,
    scale: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![N]>,
) -> CastTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M], m![N # 32]> {
    const ZERO_POINT: i32 = -3;
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(31)
        .vector_split::<m![M, N / 4], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), scale)
        .vector_concat::<m![M], m![N]>()
        .vector_fp_to_fxp(31)
        .vector_clip(ClipBinaryOpI32::AddFxpSat, ZERO_POINT)
        .vector_clip(ClipBinaryOpI32::Max, i8::MIN as i32)
        .vector_clip(ClipBinaryOpI32::Min, i8::MAX as i32)
        .vector_final()
        .cast::<i8, m![N # 32]>()
}

fn back<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![M], m![N]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M], m![N]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxp, -3)
        .vector_fxp_to_fp(31)
        .vector_split::<m![M, N / 4], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 6.25e-2f32)
        .vector_concat::<m![M], m![N]>()
        .vector_final()
}
