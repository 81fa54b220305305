// The inner half of the packet is the flit as it came.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 32];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![K % 2, K / 2]> {
    input.align::<m![M], m![K % 2, K / 2], _, _>(trf) // expect error: E0651 the inner 32 bytes must be the flit K % 16
}
