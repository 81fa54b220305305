// A commit writes units of eight bytes at multiples of eight.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> {
    input.commit(0x1004) // expect error: E0509 the DM address is no multiple of 8
}
