// Seventeen steps hold no whole number of rounds over five weights.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 2, A = 3, E = 5, K = 32];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, [A, E] # 17], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![E, K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![C, [A, E] # 17], m![K # 64]> {
    input.align::<m![C, [A, E] # 17], m![K # 64], _, _>(trf) // expect error: E0658 17 is no multiple of 5
}
