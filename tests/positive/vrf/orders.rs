// The register file takes the stream in another order, without its padding.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 2, A = 3, E = 5, B = 8, D = 6];

fn turned<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![C, A, E # 6], m![B]>,
) -> VrfTensor<i32, m![1], m![1 # 2], m![S], m![C, E, A, B]> {
    input.to_vrf(0)
}

fn outermost<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![[A, E] # 17, C], m![B]>,
) -> VrfTensor<i32, m![1], m![1 # 2], m![S], m![C, E, A, B]> {
    input.to_vrf(0)
}

fn packet_outside<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A], m![D # 8]>,
) -> VrfTensor<f32, m![1], m![1 # 2], m![S], m![D, A]> {
    input.to_vrf(0)
}
