// Nothing in the stream fills C.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 8, C = 2];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A, C, B]> {
    input.commit(0x2000) // expect error: E0690 C is not in the stream
}
