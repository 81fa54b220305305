// The Commit Engine takes whole flits; this packet has 24 bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 24];

fn store<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![A, B]> {
    input.commit(0x2000) // expect error: E0215 the packet is 24 bytes, must be 32
}
