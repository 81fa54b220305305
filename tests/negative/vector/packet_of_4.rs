// A flit has 8 lanes: a packet of 4 is padded before it enters.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4];

fn add<'l, const T: Tu>(
    input: VectorInitTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_intra_slice_branch(BranchMode::Unconditional) // expect error: E0710 4 lanes, must be 8
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
}
