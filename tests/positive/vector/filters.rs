// A filter is the last stage: packets of one group go on.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

fn odd_rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B / 2], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_fxp(FxpBinaryOp::MulInt, (2, GroupId::One))
        .vector_filter::<m![B / 2]>(ValidBranchIds::ValidGroup { id: GroupId::One })
        .vector_final()
}

fn behind_clip<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::Greater { boundary: 0.0 }),
        ]))
        .vector_stash()
        .vector_clip(ClipBinaryOpF32::Max, Stash)
        .vector_filter::<m![B]>(ValidBranchIds::ValidGroup { id: GroupId::Zero })
        .vector_final()
}

// All packets pass.
fn everything<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_filter::<m![B]>(ValidBranchIds::ValidAlways)
        .vector_final()
}
