// The operand is spread over the slices by another axis.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, P = 256, A = 8];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    vrf: &VrfTensor<i32, m![1], m![1 # 2], m![P], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, vrf) // expect error: E0725 axis P of the operand is not in the stream
        .vector_final()
}
