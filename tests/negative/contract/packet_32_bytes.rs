// A pair is 64 bytes wide.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 32];

fn sum<'l, const T: Tu>(
    pair: AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![1], m![K]>,
) -> ContractionTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![1], m![1]> {
    pair.contract() // expect error: E0662 32 bytes
}
