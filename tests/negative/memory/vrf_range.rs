// 4 KiB fit into the register file, but not from address 4104 on.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 1024];

fn keep<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A / 8], m![A % 8]>,
) -> VrfTensor<f32, m![1], m![1 # 2], m![S], m![A]> {
    input.to_vrf(4104) // expect error: E0644 the tensor ends beyond the VRF
}
