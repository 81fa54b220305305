// Short rows are padded to a legal packet: 2 bytes to 8, 10 to 16, 30 to 32.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 5, C = 2];

fn rows<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B, C]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, B], m![C # 8]> {
    input.fetch()
}

fn planes<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B, C]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![[B, C] # 16]> {
    input.fetch()
}

fn everything<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B, C]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![[A, B, C] # 32]> {
    input.fetch()
}
