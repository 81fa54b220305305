// Only i32 and f32 streams can be cast.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn narrow<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) {
    let _out = input.cast::<i4, m![A # 64]>(); // expect error: E0677 an i8 stream cannot be cast
}
