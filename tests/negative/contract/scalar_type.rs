// Products are formed of i4, i8, bf16 and f8e4m3; i32 is for the Vector Engine.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 16];

fn reduce<'l, const T: Tu>(
    input: AlignedPair<'l, T, i32, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) {
    let _sum = input.contract::<m![1]>(); // expect error: E0661 i32 cannot be contracted
}
