// Padding that is no whole number of what it pads is walked where it stands outermost, or where all of it is contiguous.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 2, A = 3, E = 5, J = 2, O = 65537, P = 131072, K = 32, L = 8, M = 4, Q = 64];

fn outermost<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![[A, E] # 17], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![E, K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![[A, E] # 17], m![K # 64]> {
    input.align::<m![[A, E] # 17], m![K # 64], _, _>(trf)
}

fn contiguous<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, [A, E] # 17], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![A, E, K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![C, [A, E] # 17], m![K # 64]> {
    input.align::<m![C, [A, E] # 17], m![K # 64], _, _>(trf)
}

fn a_round_more<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, [A, E] # 20], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![E, K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![C, [A, E] # 20], m![K # 64]> {
    input.align::<m![C, [A, E] # 20], m![K # 64], _, _>(trf)
}

fn two_entries<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![P], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![P], m![K # 64]> {
    input.align::<m![P], m![K # 64], _, _>(trf)
}

fn two_entries_of_a_prime<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![O], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![O], m![K # 64]> {
    input.align::<m![O], m![K # 64], _, _>(trf)
}

fn repeated_every_eight<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M], m![[J, L] # 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![L]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![M], m![[J, L] # 64]> {
    input.align::<m![M], m![[J, L] # 64], _, _>(trf)
}

fn two_nibbles<'l, const T: Tu>(
    input: CollectTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![M], m![[Q / 2, Q % 2]]>,
    trf: &TrfTensor<i4, m![1], m![1 # 2], m![S], m![1], m![M, Q % 2]>,
) -> AlignedPair<'l, T, i4, m![1], m![1 # 2], m![S], m![1], m![M], m![Q # 128]> {
    input.align::<m![M], m![Q # 128], _, _>(trf)
}

fn padded_alike<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, A, E # 6], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![C, A, E # 6], m![K # 64]> {
    input.align::<m![C, A, E # 6], m![K # 64], _, _>(trf)
}
