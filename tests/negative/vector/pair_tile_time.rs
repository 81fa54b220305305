// The tile is the time with I replaced by 1 # 2.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 4, A = 8, I = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![Q, I], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![Q], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2, Q], m![Q]>() // expect error: E0761 the tile time must be Q, 1 # 2
        .vector_fxp_zip(FxpBinaryOp::AddFxp)
        .vector_final()
}
