// The four programs: intra, intra then inter, inter, inter then intra. An ALU is free again after the reduction.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Wide = 64, R = 4, P = 8];

fn intra<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
}

fn intra_inter<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_inter_slice_reduce::<m![Wide, 1 # 4], m![1]>(InterSliceReduceOpI32::Add)
        .vector_final()
}

fn inter_intra<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, 1 # 4], m![1]>(InterSliceReduceOpI32::Add)
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_final()
}

fn from_every_stage<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![P / 4], m![P % 4]>()
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_concat::<m![1], m![P]>()
        .vector_inter_slice_reduce::<m![Wide, 1 # 4], m![1]>(InterSliceReduceOpF32::Add)
        .vector_final()
}
