// A square takes both arguments from the stream, and reads no operand.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn square<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
    vrf: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_with_mode(FxpBinaryOp::MulInt, BinaryArgMode::Mode00, vrf) // expect warning: E0728 Mode00 reads no operand
        .vector_final()
}
