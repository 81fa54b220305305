// The vector register file holds 8 KiB a slice.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2056];

fn keep<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A / 8], m![A % 8]>,
) -> VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]> {
    input.to_vrf(0) // expect error: E0644 8224 bytes exceed the 8192 of the VRF
}
