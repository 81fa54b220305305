// The sequencer writes a packet in pieces of 8 bytes; steps of padding have their places.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 2, C = 2, D = 2];

fn turned<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B, C, D]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A, C, B, D]> {
    input.commit(0x2000)
}

fn outside<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B, C, D]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![B, A, C, D]> {
    input.commit(0x2000)
}

fn padded<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A # 4], m![B, C, D]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A # 4, B, C, D]> {
    input.commit(0x2000)
}
