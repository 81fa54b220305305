// Elements are told apart by an axis or by comparing their values.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

fn toggle<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::One))
        .vector_final()
}

fn by_sign<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::Equal { boundary: 3 }),
            InputCmp::I32(InputCmpI32::GreaterUnsigned { boundary: 100 }),
            InputCmp::I32(InputCmpI32::Less { boundary: 0 }),
        ]))
        .vector_fxp(FxpBinaryOp::MulInt, (-1, GroupId::One))
        .vector_final()
}

fn by_size<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::LessUnsigned { boundary: 1.5 }),
            InputCmp::F32(InputCmpF32::Equal { boundary: 0.0 }),
            InputCmp::F32(InputCmpF32::Greater { boundary: 6.25e-2f32 }),
        ]))
        .vector_clip(ClipBinaryOpF32::Min, (1.0f32, ValidBranchIds::ValidGroup { id: GroupId::One }))
        .vector_final()
}
