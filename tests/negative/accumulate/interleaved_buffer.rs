// 64 times 4 partial sums wait while A is summed; 128 fit.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, C = 4, D = 32, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, D # 64, C], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![D # 64, C], m![N]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0675 256 buffer slots, at most 128
}
