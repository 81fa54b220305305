// Fused multiply-add with an operand for each group, and the stash as a factor.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

// Rotation by pairs: even positions take the cosine, odd ones the sine.
fn rotate<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    cosine: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]>,
    sine: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_ternary(
            FpTernaryOp::FmaF,
            [
                TernaryOperand::group(VeRhs::vrf(cosine), 0.0f32, GroupId::Zero),
                TernaryOperand::group(VeRhs::vrf(sine), 1.0f32, GroupId::One),
            ],
        )
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}

fn tuples<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    scale: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_stash()
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, ((scale, 0.5f32), GroupId::One))
        .vector_concat::<m![B], m![A]>()
        .vector_clip(ClipBinaryOpF32::Max, (Stash, GroupId::Zero))
        .vector_final()
}

// x * x + 1 for one group, x * stash + 2 for the other.
fn with_stash<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_ternary(
            FpTernaryOp::FmaF,
            ArrayVec::new([
                TernaryOperand::group(1.5f32, 1.0f32, GroupId::Zero),
                TernaryOperand::group(Stash, 2.0f32, GroupId::One),
            ]),
        )
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}

fn reversed<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
    scale: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::B })
        .vector_split::<m![B, A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(
            FpTernaryOp::FmaF,
            TernaryArgMode::Mode120,
            ((VeRhs::vrf(scale), -1.0f32), ValidBranchIds::ValidGroup { id: GroupId::Zero }),
        )
        .vector_concat::<m![B], m![A]>()
        .vector_final()
}
