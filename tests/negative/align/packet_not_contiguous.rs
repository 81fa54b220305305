// In the TRF a row of K stands between neighbours of the packet.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, K = 32, L = 2];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![L], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![K, L]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![1], m![L, K]> {
    input.align::<m![1], m![L, K], _, _>(trf) // expect error: E0657 K and L are turned round in the TRF
}
