// Exactly 8 KiB in the vector register file, and a tensor that ends at its last byte.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2048, B = 8];

fn full<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A / 8], m![A % 8]>,
) -> VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]> {
    input.to_vrf(0)
}

fn last<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![B]>,
) -> VrfTensor<i32, m![1], m![1 # 2], m![S], m![B]> {
    input.to_vrf(8192 - 32)
}
