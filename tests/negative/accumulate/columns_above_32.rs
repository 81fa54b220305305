// The accumulator has 32 columns.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, K = 64];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A], m![K]>,
) -> AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![K], m![1 # 8]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0668 64 columns, at most 32
}
