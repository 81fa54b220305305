// A fetched packet is a multiple of eight bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 4];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch() // expect error: E0211 a packet of 4 bytes is no multiple of 8
}
