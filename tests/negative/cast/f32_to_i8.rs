// Floats narrow to floats.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn narrow<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) {
    let _out = input.cast::<i8, m![A # 32]>(); // expect error: E0677 no cast from f32 to i8
}
