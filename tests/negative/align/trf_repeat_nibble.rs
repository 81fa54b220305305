// The smallest read brings two nibbles; a single one is not repeated over a packet.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, K = 64];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![M], m![K]>,
    trf: &TrfTensor<i4, m![1], m![1 # 2], m![S], m![1], m![M]>,
) -> AlignedPair<'l, T, i4, m![1], m![1 # 2], m![S], m![1], m![M], m![K # 128]> {
    input.align::<m![M], m![K # 128], _, _>(trf) // expect error: E0657 one weight for all lanes
}
