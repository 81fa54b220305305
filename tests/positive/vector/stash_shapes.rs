// The stash is read in another shape than it was taken in: narrowed, widened, and behind a conversion and back.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8, D = 3, R = 16];

fn wide_narrow_wide<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpF32::BitXor, -0.0f32)
        .vector_stash()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, Stash)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), Stash)
        .vector_concat::<m![B], m![A]>()
        .vector_clip(ClipBinaryOpF32::Min, Stash)
        .vector_final()
}

fn narrow_wide<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![D # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![D # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![D # 4]>()
        .vector_fp_unary(FpUnaryOp::NegExp)
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Log)
        .vector_pad_way8::<m![D # 8]>()
        .vector_clip(ClipBinaryOpF32::Add, Stash)
        .vector_final()
}

// i32 at both ends, f32 in between.
fn there_and_back<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 128)
        .vector_stash()
        .vector_fxp(FxpBinaryOp::MulInt, Stash)
        .vector_fxp_to_fp(31)
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_concat::<m![B], m![A]>()
        .vector_fp_to_fxp(31)
        .vector_clip(ClipBinaryOpI32::AddFxp, Stash)
        .vector_final()
}

// What is taken after a reduction holds no reduced axis; later calls may join its packets.
fn behind_reduction<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, R], m![D # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B / 2], m![B % 2, D # 4]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![D # 4]>()
        .vector_intra_slice_reduce::<R, m![B], m![D # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 16.0f32)
        .vector_stash()
        .vector_concat::<m![B / 2], m![B % 2, D # 4]>()
        .vector_clip(ClipBinaryOpF32::AbsMax, Stash)
        .vector_final()
}
