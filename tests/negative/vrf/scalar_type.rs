// The vector register file holds i32 and f32.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn keep<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) {
    let _vrf = input.to_vrf::<m![A]>(0); // expect error: E0643 to_vrf needs i32 or f32
}
