// Two of four columns are padding: accumulate may keep all four, in either mode.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, J = 2, N = 4, K = 32, L = 80];

fn interleaved<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, J], m![K # 64 / 16]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A, K # 64 / 16], m![N # 8]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn sequential<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, J], m![L # 256 / 16]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A, N, L # 256 / 128], m![L # 256 / 16 % 8]> {
    input.accumulate(AccumulationKind::Sequential)
}
