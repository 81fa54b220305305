// From one sum to 32 of them: the inner part of the packet is added, the outer part survives.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, N = 8, K = 64, A = 2, D = 32, H = 32, Q = 128];

fn one<'l, const T: Tu>(
    input: AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![1]> {
    input.contract()
}

fn sixteen<'l, const T: Tu>(
    input: AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![K / 4]> {
    input.contract()
}

fn one_axis_of_two<'l, const T: Tu>(
    input: AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![M], m![A, D]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![A, D / 8]> {
    input.contract()
}

// No addition at all: 32 products of bf16.
fn thirty_two<'l, const T: Tu>(
    input: AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![H]>,
) -> ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![M], m![H]> {
    input.contract()
}

fn nibbles<'l, const T: Tu>(
    input: AlignedPair<'l, T, i4, m![1], m![1 # 2], m![S], m![N], m![M], m![Q]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![Q / 4]> {
    input.contract()
}

fn small_floats<'l, const T: Tu>(
    input: AlignedPair<'l, T, f8e4m3, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) -> ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![M], m![1]> {
    input.contract()
}
