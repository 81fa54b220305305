// The output is a flit again: 16 values of bf16.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn narrow<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.cast() // expect error: E0678 the output packet is 16 bytes, must be 32
}
