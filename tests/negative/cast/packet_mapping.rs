// The values keep their places at the start of the flit.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn narrow<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![A # 8, 1 # 2]> {
    input.cast() // expect error: E0679 the output packet must be A # 16
}
