// Every stage once, in order, from i32 to i32.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 2, A = 2];

fn through<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::BitAnd, 0xffff)
        .vector_fxp(FxpBinaryOp::AddFxp, 100)
        .vector_fxp_to_fp(31)
        .vector_trim_way4::<m![A # 4]>()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 2.0f32)
        .vector_pad_way8::<m![A # 8]>()
        .vector_fp_to_fxp(31)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_final()
}

// A pass may do nothing at all.
fn nothing<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_final()
}

fn after_accumulation<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_final()
}
