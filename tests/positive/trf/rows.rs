// Weights in 1, 2, 4 and 8 rows.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, O = 2, K = 16];

fn one<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, O], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![1], m![N, O, K]> {
    weights.to_trf(TrfAddress::Full)
}

fn two<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, O], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N / 4], m![N % 4, O, K]> {
    weights.to_trf(TrfAddress::FirstHalf)
}

fn four<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, O], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N / 2], m![N % 2, O, K]> {
    weights.to_trf(TrfAddress::SecondHalf)
}

fn eight<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, O], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![O, K]> {
    weights.to_trf(TrfAddress::Full)
}
