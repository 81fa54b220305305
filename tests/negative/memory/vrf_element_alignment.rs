// Register file addresses count bytes; f32 data starts at a multiple of 4.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn keep<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]> {
    input.to_vrf(6) // expect error: E0645 the address is no multiple of 4
}
