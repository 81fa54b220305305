// Two interleaved groups: prepared apart, merged by a zip of each kind.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 4, A = 8, D = 2, I = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_clip_zip(ClipBinaryOpI32::AddFxp)
        .vector_final()
}

fn one_side<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_fxp(FxpBinaryOp::MulInt, 10, ())
        .vector_fxp_zip(FxpBinaryOp::SubFxp)
        .vector_final()
}

fn two_sides<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_logic(LogicBinaryOpI32::BitAnd, 255, 15)
        .vector_fxp_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10, 7, ())
        .vector_fxp_zip_with_mode(FxpBinaryOp::MulInt, BinaryArgMode::Mode10)
        .vector_final()
}

fn bits<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_logic_zip(LogicBinaryOpI32::BitXor)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
}

fn floats<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![I], m![D # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![D # 8]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_trim_way4::<m![D # 4]>()
        .vector_fp_unary(FpUnaryOp::Exp, true, false)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), (), 0.5f32)
        .vector_fp_zip(FpBinaryOp::MulF(FpMulAlu::Mul0))
        .vector_pad_way8::<m![D # 8]>()
        .vector_final()
}

fn more_time<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![Q, I], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![Q, 1 # 2], m![Q]>()
        .vector_fxp_to_fp(31)
        .vector_split::<m![Q, A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 2.0f32, ())
        .vector_fp_zip_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode10)
        .vector_concat::<m![Q], m![A]>()
        .vector_final()
}
