// The slices are reduced first; the block behind starts afresh, with groups, lanes and a stash of its own.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Wide = 64, R = 4, X = 4, B = 4, P = 8, K = 16];

fn groups<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![B], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, B], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, B], m![1]>(InterSliceReduceOpI32::AddSat)
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_stash()
        .vector_fxp(FxpBinaryOp::MulInt, (-1, GroupId::One))
        .vector_clip(ClipBinaryOpI32::Max, (Stash, GroupId::Zero))
        .vector_final()
}

// The sum over slices, then its part in the row of each slice.
fn narrow_and_reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, R], m![B, K / 8], m![K % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![Wide, X], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, X], m![B, K / 8]>(InterSliceReduceOpF32::Add)
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, K / 4], m![K % 4]>()
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<K, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// The register file has the slices as they are behind the reduction.
fn bias_behind<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, R], m![1], m![P]>,
    bias: &VrfTensor<i32, m![1], m![1 # 2], m![Wide, 1 # 4], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Wide, 1 # 4], m![1], m![P]> {
    input
        .vector_init()
        .vector_inter_slice_reduce::<m![Wide, 1 # 4], m![1]>(InterSliceReduceOpI32::Max)
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, bias)
        .vector_final()
}
