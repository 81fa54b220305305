// The second operand of a ternary operation is a constant; a tensor goes first.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Bias = VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]>;

fn tensor<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    bias: &Bias,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (0.5f32, bias)) // expect error: E0724 a tensor
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn two_tensors<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    bias: &Bias,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (bias, bias)) // expect error: E0724 a tensor, and there is no constant
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn stash<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(FpTernaryOp::FmaF, (0.5f32, Stash)) // expect error: E0724 the stash
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn of_a_group<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    bias: &Bias,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary(
            FpTernaryOp::FmaF,
            ((0.5f32, bias), GroupId::One), // expect error: E0724 of one group
        )
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
