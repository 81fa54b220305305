// The surviving packet counts: 8 time steps times 32 columns.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, C = 8, D = 32, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, C], m![D]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![C, D], m![N]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0675 256 buffer slots, at most 128
}
