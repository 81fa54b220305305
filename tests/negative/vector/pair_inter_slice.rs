// A pair is not reduced over the slices.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Q = 64, R = 4, A = 8, I = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![Q, R], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![Q, 1 # 4], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_inter_slice_reduce::<m![Q, 1 # 4], m![1]>(InterSliceReduceOpI32::Add) // expect error: E0434 no inter-slice reduce of a pair
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_final()
}
