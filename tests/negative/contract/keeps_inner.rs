// The tree adds neighbours: the outer part of the packet survives, never the inner one.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 64];

fn reduce<'l, const T: Tu>(
    input: AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![K % 4]> {
    input.contract() // expect error: E0665 the output must be the packet divided by a power of two
}
