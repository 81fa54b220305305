// DM holds what the stream brings, nothing else.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, X = 16, B = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![X, B]> {
    input.commit(0x2000) // expect error: E0206 X is not in the stream
}
