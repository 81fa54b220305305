// The Vector Engine works on i32 and f32; bf16 data is widened by the fetch.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16];

fn enter<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![A]>,
) {
    let _ve = input
        .vector_init(); // expect error: E0705 vector_init needs i32 or f32
}
