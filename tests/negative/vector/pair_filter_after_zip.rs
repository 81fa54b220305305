// A merged pair is not filtered.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 4, A = 8, I = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![Q, I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![Q], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![Q, 1 # 2], m![Q]>()
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_filter::<m![Q]>(ValidBranchIds::ValidAlways) // expect error: E0744 the stream was a pair
        .vector_final()
}
