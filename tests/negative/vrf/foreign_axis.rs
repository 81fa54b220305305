// The register file stores what arrives; it makes no copies.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

fn keep<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VrfTensor<i32, m![1], m![1 # 2], m![S], m![B, A]> {
    input.to_vrf(0) // expect error: E0646 axis B of the element is not in the stream
}
