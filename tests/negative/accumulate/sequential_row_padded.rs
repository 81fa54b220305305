// Four rows are four time steps; they are not padded to eight.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, M = 4];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M], m![A, B], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, M # 8], m![1 # 8]> {
    input.accumulate(AccumulationKind::Sequential) // expect error: E0674 the row is padded in time
}
