// Two flags say which group a unary operation works on.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, I = 2];

fn exp_one<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![I], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_unary(FpUnaryOp::Exp) // expect error: E0435 vector_fp_unary takes 3 arguments on a pair, 1 given
        .vector_fp_zip(FpBinaryOp::AddF)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
