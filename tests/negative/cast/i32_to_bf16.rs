// Integers narrow to integers.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn narrow<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) {
    let _out = input.cast::<bf16, m![A # 16]>(); // expect error: E0677 no cast from i32 to bf16
}
