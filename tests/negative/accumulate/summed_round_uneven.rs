// Each round of A ends with two steps of padding, no whole number of the three that B keeps apart.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 5, B = 4, F = 3, M = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M], m![A, [B, F] # 14], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![M]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0674 no nest of loops keeps `B`
}
