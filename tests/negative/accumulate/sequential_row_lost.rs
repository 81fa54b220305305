// The rows follow each other in time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, D = 32, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![M], m![D]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![D / 8, N], m![D % 8]> {
    input.accumulate(AccumulationKind::Sequential) // expect error: E0671 the time must end with N, D / 8
}
