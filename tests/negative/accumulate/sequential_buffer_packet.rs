// The outer part of the packet counts as well: 16 steps of 4.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, D = 32, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A, N, B], m![D]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N, B, D / 8], m![D % 8]> {
    input.accumulate(AccumulationKind::Sequential) // expect error: E0675 64 buffer slots, at most 32
}
