// The element keeps every axis of the stream.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8];

fn keep<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> VrfTensor<i32, m![1], m![1 # 2], m![S], m![A]> {
    input.to_vrf(0) // expect error: E0646 axis B of the stream is not in the element
}
