// The operand has four of the eight elements of A: the others have none, and are not repeated either.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, C = 8];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![C]>,
    vrf: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A = 4, C]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![C]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, vrf) // expect error: E0725 holds `A = 4`, and the stream has more of it: `A`
        .vector_final()
}
