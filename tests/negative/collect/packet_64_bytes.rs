// A flit is 32 bytes; 32 values of two bytes are 64.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, J = 512];

fn flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![J]>,
) -> CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![J / 32], m![J % 32]> {
    input.collect() // expect error: E0631 the packet is 64 bytes, a flit is 32
}
