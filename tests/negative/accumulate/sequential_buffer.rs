// 8 time steps times 8 rows wait while A is summed; 32 fit.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, P = 8, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, P], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![P, N], m![1 # 8]> {
    input.accumulate(AccumulationKind::Sequential) // expect error: E0675 64 buffer slots, at most 32
}
