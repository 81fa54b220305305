// Twelve is no size of a write.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 3];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A], m![B # 8]>,
) -> DmTensor<f32, m![1], m![1 # 2], m![S], m![A, B]> {
    input.commit(0x2000) // expect error: E0210 12 bytes a step, must be 8, 16, 24 or 32
}
