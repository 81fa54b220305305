// Half of the register file holds 32 KiB.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 2064];

fn store<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, K / 16], m![K % 16]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> {
    weights.to_trf(TrfAddress::FirstHalf) // expect error: E0636 33024 bytes exceed 32768
}
