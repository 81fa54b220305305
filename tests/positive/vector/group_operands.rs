// What holds for one group of elements only: tuples, arrays and ArrayVec, of constants, register file and stash.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

// Even and odd positions of B have a bias each, and share a factor.
fn two_biases<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    even: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]>,
    odd: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_fxp(
            FxpBinaryOp::AddFxpSat,
            [
                VeBranchOperand::group(VeRhs::vrf(even), GroupId::Zero),
                VeBranchOperand::group(VeRhs::vrf(odd), GroupId::One),
            ],
        )
        .vector_final()
}

// Negative numbers are negated, the others doubled; then both are put beside the input.
fn by_sign<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::Greater { boundary: 100 }),
            InputCmp::I32(InputCmpI32::Equal { boundary: 0 }),
            InputCmp::I32(InputCmpI32::Less { boundary: 0 }),
        ]))
        .vector_stash()
        .vector_fxp(
            FxpBinaryOp::MulInt,
            ArrayVec::new([VeBranchOperand::group(-1, GroupId::One), VeBranchOperand::group(2, GroupId::Zero)]),
        )
        .vector_fxp(FxpBinaryOp::SubFxp, (Stash, GroupId::Zero))
        .vector_clip(
            ClipBinaryOpI32::Max,
            ArrayVec::new([VeBranchOperand::stash_group(GroupId::One), VeBranchOperand::always(-5)]),
        )
        .vector_clip(ClipBinaryOpI32::Min, (1000, ValidBranchIds::ValidAlways))
        .vector_final()
}

// The same group may come up several times: its operands are applied one after the other.
fn again_and_again<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    vrf: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    let limits = ArrayVec::new([
        VeBranchOperand::group(0.5f32, GroupId::Zero),
        VeBranchOperand::group(vrf, GroupId::Zero),
        VeBranchOperand::group(-0.5f32, GroupId::One),
        VeBranchOperand::stash_always(),
    ]);
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })
        .vector_stash()
        .vector_logic(LogicBinaryOpF32::BitAnd, (f32::MAX, ValidBranchIds::ValidGroup { id: GroupId::One }))
        .vector_clip(ClipBinaryOpF32::AbsMax, limits)
        .vector_clip(ClipBinaryOpF32::Add, (vrf, GroupId::One))
        .vector_final()
}

// A comparison that always holds, or never, leaves one group empty; operands for the other one are fine.
fn one_sided<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::True),
        ]))
        .vector_clip(ClipBinaryOpF32::Max, (0.0f32, GroupId::One))
        .vector_final()
}
