// The element is the rest of time followed by the packet.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, O = 2, M = 4, K = 16];

fn store<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, O, M], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![M, O, K]> {
    weights.to_trf(TrfAddress::Full) // expect error: E0640 the element must be O, M, K
}
