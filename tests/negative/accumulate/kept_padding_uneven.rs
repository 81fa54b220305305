// Seventeen steps hold no whole number of rounds over the five that are kept.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 2, A = 3, E = 5, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![C, [A, E] # 17], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![C, E], m![N]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0674 17 is no multiple of 5
}
