// A short packet is padded to a flit, not passed on.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 16];

fn flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.collect() // expect error: E0631 the packet is 16 bytes, a flit is 32
}
