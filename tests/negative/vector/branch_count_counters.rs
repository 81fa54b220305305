// R comes in five parts with an axis between each two: nine counters.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 509, A = 2, B = 2, C = 2, D = 2, P = 8];

fn count<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R # 512 / 256, A, R # 512 / 128 % 2, B, R # 512 / 64 % 2, C, R # 512 / 32 % 2, D, R # 512 % 32], m![P]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R # 512 / 256, A, R # 512 / 128 % 2, B, R # 512 / 64 % 2, C, R # 512 / 32 % 2, D, R # 512 % 32], m![P]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount) // expect error: E0774 nine counters
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_final()
}
