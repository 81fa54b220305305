// Exactly 64 KiB in eight rows, in one row, and exactly half of it in each half.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 4096, L = 2048, J = 32768];

fn eight_rows<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, K / 16], m![K % 16]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> {
    weights.to_trf(TrfAddress::Full)
}

fn one_row<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![J / 16], m![J % 16]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![1], m![J]> {
    weights.to_trf(TrfAddress::Full)
}

fn first_half<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, L / 16], m![L % 16]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![L]> {
    weights.to_trf(TrfAddress::FirstHalf)
}

fn second_half<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, L / 16], m![L % 16]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![L]> {
    weights.to_trf(TrfAddress::SecondHalf)
}
