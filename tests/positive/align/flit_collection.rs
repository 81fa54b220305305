// Two flits make a contraction packet, one flit is padded to it, weights repeat the stream.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 32, L = 2, J = 16, O = 2, X = 5];

fn two_flits<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![K]> {
    input.align::<m![M], m![K], _, _>(trf)
}

fn two_rows_of_data<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, O, L], m![J]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![O, M, J]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M, O], m![L, J]> {
    input.align::<m![M, O], m![L, J], _, _>(trf)
}

fn one_flit<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M], m![J]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![J]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![J # 32]> {
    input.align::<m![M], m![J # 32], _, _>(trf)
}

fn repeated<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M], m![J]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![X, J]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M, X], m![J # 32]> {
    input.align::<m![M, X], m![J # 32], _, _>(trf)
}

fn two_flits_repeated<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, L], m![J]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![X, J]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M, X], m![L, J]> {
    input.align::<m![M, X], m![L, J], _, _>(trf)
}
