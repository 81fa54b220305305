// A pair is not reduced.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 4, A = 2, I = 2];

fn add<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R, I], m![A # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![R, 1 # 2], m![R]>()
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpF32::Add) // expect error: E0434 no reduction of a pair
        .vector_fp_zip(FpBinaryOp::AddF)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
