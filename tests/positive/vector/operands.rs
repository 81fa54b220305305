// Constants, register file tensors, the stash, and operands for groups of elements.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

fn constants<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, -7)
        .vector_fxp(FxpBinaryOp::MulInt, VeRhs::constant(3))
        .vector_clip(ClipBinaryOpI32::Min, i32::MAX)
        .vector_final()
}

// The stream has an axis B that the operand lacks: it is used again for every B.
fn register_file<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    vrf: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, vrf)
        .vector_clip(ClipBinaryOpI32::Max, VeRhs::vrf(vrf))
        .vector_final()
}

fn groups<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_fxp(FxpBinaryOp::AddFxp, [VeBranchOperand::group(1, GroupId::Zero), VeBranchOperand::group(2, GroupId::One)])
        .vector_fxp(FxpBinaryOp::MulInt, (10, GroupId::One))
        .vector_clip(ClipBinaryOpI32::Max, [VeBranchOperand::always(0)])
        .vector_final()
}

fn five<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    vrf: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_fxp(
            FxpBinaryOp::AddFxp,
            ArrayVec::new([
                VeBranchOperand::always(1),
                VeBranchOperand::group(2, GroupId::Zero),
                VeBranchOperand::group(3, GroupId::One),
                VeBranchOperand::group(vrf, GroupId::Zero),
                VeBranchOperand::group(VeRhs::constant(5), GroupId::One),
            ]),
        )
        .vector_final()
}

fn three_arguments<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    vrf: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, TernaryOperand::always(vrf, 0.5f32))
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}
