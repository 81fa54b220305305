// The output holds what is left of the packet, no other axis.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 64, L = 2];

fn reduce<'l, const T: Tu>(
    input: AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![L]> {
    input.contract() // expect error: E0665 L is not left of the packet
}
