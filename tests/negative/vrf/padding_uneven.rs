// The register file has the axes the other way round, and seventeen steps hold no whole number of five.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 2, A = 3, E = 5, B = 8];

fn keep<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![C, [A, E] # 17], m![B]>,
) -> VrfTensor<i32, m![1], m![1 # 2], m![S], m![C, E, A, B]> {
    input.to_vrf(0) // expect error: E0646 no loops walk it
}
