// Eight loops over the TRF, rows padded to the width of a read, and a piece that the packet repeats.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 2, C = 2, D = 2, E = 2, F = 2, G = 2, H = 2, K = 64, L = 48, M = 32, N = 4, O = 2];

fn eight_loops<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, B, C, D, E, F, G, H, K / 32], m![K % 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![H, G, F, E, D, C, B, A, K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B, C, D, E, F, G, H], m![K]> {
    input.align::<m![A, B, C, D, E, F, G, H], m![K], _, _>(trf)
}

fn padded_rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![N, L # 64 / 32], m![L # 64 % 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![N, L # 64]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![N], m![L # 64]> {
    input.align::<m![N], m![L # 64], _, _>(trf)
}

fn repeated_piece<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![O], m![M]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![M]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![1], m![O, M]> {
    input.align::<m![1], m![O, M], _, _>(trf)
}
