// A branch starts every pass through the intra-slice stages.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn bump<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_fxp(FxpBinaryOp::AddFxp, 1) // expect error: E0434 no vector_fxp before a branch
        .vector_final()
}
