// A float zip works on four lanes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_fp_zip(FpBinaryOp::AddF) // expect error: E0711 the zip needs four lanes
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
