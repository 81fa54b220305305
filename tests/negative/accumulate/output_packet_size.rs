// Eight values leave the accumulator at once.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, N = 4];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, B], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![N]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0669 the output packet has 4 values, must be 8
}
