// Two operands side by side, the second one loaded from the Vector Engine itself.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn scale<'l, const T: Tu>(
    first: CollectTensor<'l, { Tu::Sub }, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    second: VectorFinalTensor<'l, { Tu::Main }, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    let factor: VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]> = first.to_vrf(0);
    let offset: VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]> = second.to_vrf(32);
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, &factor)
        .vector_fxp(FxpBinaryOp::AddFxp, VeRhs::vrf(&offset))
        .vector_final()
}
