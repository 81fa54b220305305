// Two tensors side by side: a gate and a value, prepared apart and multiplied.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 64, I = 2];

type Chip = m![1];
type Cluster = m![1 # 2];
type Rows = DmTensor<f32, Chip, Cluster, m![S], m![B, A]>;

fn gate(ctx: &mut Context, gates: &Rows, values: &Rows) -> Rows {
    ctx.main
        .begin_interleaved::<I, _, _, _, _, _>(gates.view(), values.view())
        .fetch::<f32, m![B, A / 8, I], m![A % 8]>()
        .collect::<m![B, A / 8, I], m![A % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![B, A / 8, 1 # 2], m![B, A / 8]>()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_unary(FpUnaryOp::Sigmoid, true, false)
        .vector_fp_zip(FpBinaryOp::MulF(FpMulAlu::Mul0))
        .vector_concat::<m![B, A / 8], m![A % 8]>()
        .vector_final()
        .commit(0x8000)
}

// Each group has its own bias and scale, or none; what is behind the zip is a stream again.
fn two_scales<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B, I], m![A % 8]>,
    bias: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A % 8]>,
    scale: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A % 8]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![B, 1 # 2], m![B]>()
        .vector_logic(LogicBinaryOpI32::BitAnd, 0xff, ())
        .vector_fxp(FxpBinaryOp::AddFxp, (), bias)
        .vector_fxp_with_mode(FxpBinaryOp::LeftShift, BinaryArgMode::Mode01, 2, VeRhs::vrf(bias))
        .vector_fxp_to_fp(31)
        .vector_split::<m![B, A / 4 % 2], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (scale, 1.0f32), ())
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), VeBranchOperand::always(scale), 0.25f32)
        .vector_fp_div(FpDivBinaryOp::DivF, 3.0f32, (scale, GroupId::Zero))
        .vector_concat::<m![B], m![A % 8]>()
        .vector_fp_to_fxp(31)
        .vector_clip_zip(ClipBinaryOpI32::AddFxpSat)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_final()
}

// The distance of two rows: a difference, its square, and the sum over the row.
fn distance<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, A / 8, I], m![A % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![B, A / 8, 1 # 2], m![B, A / 8]>()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_zip(FpBinaryOp::SubF)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 0.0f32)
        .vector_intra_slice_reduce::<A, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode01, 64.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// The groups are told apart by the outer axis of Time; the slices are reduced in the end.
fn outer_axis<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I, B], m![A % 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![1 # 256], m![B], m![A % 8]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2, B], m![B]>()
        .vector_fxp_zip_with_mode(FxpBinaryOp::SubFxpSat, BinaryArgMode::Mode10)
        .vector_clip(ClipBinaryOpI32::AbsMax, 0)
        .vector_inter_slice_reduce::<m![1 # 256], m![B]>(InterSliceReduceOpI32::Max)
        .vector_final()
}
