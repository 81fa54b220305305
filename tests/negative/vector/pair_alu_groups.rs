// An ALU used by one group is used up for both.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2];

fn scale<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_fxp(FxpBinaryOp::MulInt, 10, ())
        .vector_fxp(FxpBinaryOp::MulInt, (), 20) // expect error: E0720 FxpMul is already in use
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_final()
}
