// At most 32 values leave the tree: 64 bytes of i8 need at least one level of it.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 64];

fn reduce<'l, const T: Tu>(
    input: AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![K]> {
    input.contract() // expect error: E0663 64 outputs, at most 32
}
