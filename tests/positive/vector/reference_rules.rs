// options: --rules=reference
// What the reference library runs, beyond the manual: a stash once the zip is past, axes it cannot find, any slices.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, C = 2, A = 8, I = 2];

fn stash_behind_zip<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_stash()
        .vector_clip(ClipBinaryOpI32::Max, Stash)
        .vector_final()
}

fn absent_axis<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::C })
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::Zero))
        .vector_final()
}

fn empty_stash<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, Stash)
        .vector_final()
}

fn ternary_on_floats<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (0.5f32, 1.0f32))
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}
