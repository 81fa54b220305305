// Sequential sums: rows after each other in time, packets of eight, and the buffer filled to 32.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, C = 4, D = 32, M = 4, N = 8];

fn rows_in_time<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, B], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, N], m![1 # 8]> {
    input.accumulate(AccumulationKind::Sequential)
}

fn short_packet<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![M], m![B]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M, N], m![B # 8]> {
    input.accumulate(AccumulationKind::Sequential)
}

fn full_buffer<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![M], m![D]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N, D / 8], m![D % 8]> {
    input.accumulate(AccumulationKind::Sequential)
}

fn inner_time<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, B, C], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, N], m![1 # 8]> {
    input.accumulate(AccumulationKind::Sequential)
}
