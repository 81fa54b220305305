// The Cast Engine takes whole flits.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4];

fn narrow<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>, // expect error: E0604 the input packet is 16 bytes, must be 32
) -> CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![A # 16]> {
    input.cast()
}
