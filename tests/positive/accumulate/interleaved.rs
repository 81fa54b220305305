// Interleaved sums: rows in the packet, padded time, surviving packets, and the buffer filled to 128.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, C = 4, D = 32, M = 4, N = 8, P = 128];

fn outer_time<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A, B], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn padded_time<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8, B # 4], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B # 4], m![1 # 8]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn surviving_packet<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8, B], m![D]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A # 8, B, D], m![1 # 8]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn middle_time<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M], m![C, A, B], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![C, B], m![M # 8]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn all_of_time<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![N]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn full_buffer<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, P], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![P], m![N]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn full_buffer_with_packet<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, C], m![D]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![C, D], m![N]> {
    input.accumulate(AccumulationKind::Interleaved)
}
