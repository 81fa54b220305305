// Element has three steps of A, but Time has only two. More padding in Element would be fine (tests/positive/commit/more_padding.rs).
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A = 2], m![B]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A, B]> {
    input.commit(0x2000) // expect error: E0689 has only 2 of the 3 steps
}
