// What is left of the packet is its lower half.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 2];

fn tanh<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![B # 4]>() // expect error: E0716 the packet must be A # 4
        .vector_fp_unary(FpUnaryOp::Tanh)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
