// Padded columns may stay, but not as steps outside what Time keeps.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, N = 4, K = 32];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A], m![K # 64 / 16]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A # 8, K / 16], m![N # 8]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0674 `A` has 4 places
}
