// The inner 32 bytes stay in the packet, not the outer ones.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 64];

fn flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, B % 2], m![B / 2]> {
    input.collect() // expect error: E0632 the packet must be the inner 32 bytes // expect error: E0633
}
