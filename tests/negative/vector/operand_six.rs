// An operation takes at most five operands.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })
        .vector_fxp(FxpBinaryOp::AddFxp, [VeBranchOperand::group(1, GroupId::Zero), VeBranchOperand::group(2, GroupId::One), VeBranchOperand::group(3, GroupId::Zero), VeBranchOperand::group(4, GroupId::One), VeBranchOperand::group(5, GroupId::Zero), VeBranchOperand::group(6, GroupId::One)]) // expect error: E0722 six operands, at most five
        .vector_final()
}
