// What survives of the packet is appended to the time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, D = 32, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![M], m![D]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M, D = 16], m![N]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0671 the time must end with D
}
