// Axes that stay in time keep their order.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, B], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, A], m![N]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0673 the time axes change their order
}
