// An unsigned byte has no product either.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 64];

fn reduce<'l, const T: Tu>(
    input: AlignedPair<'l, T, u8, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) {
    let _sum = input.contract::<m![1]>(); // expect error: E0661 u8 cannot be contracted
}
