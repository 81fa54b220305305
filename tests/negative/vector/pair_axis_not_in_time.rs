// The two groups are told apart by an axis of time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2, J = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![J], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>() // expect error: E0760 axis I is not in time
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_final()
}
