// The smallest packets a fetch may deliver: eight bytes of i8, bf16, i32 and i4.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 8, C = 4, D = 2, E = 16];

fn of_i8<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch()
}

fn of_bf16<'l, const T: Tu>(
    input: BeginTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![A, C]>,
) -> FetchTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![A], m![C]> {
    input.fetch()
}

fn of_i32<'l, const T: Tu>(
    input: BeginTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A, D]>,
) -> FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![D]> {
    input.fetch()
}

fn of_i4<'l, const T: Tu>(
    input: BeginTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![1], m![A, E]>,
) -> FetchTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![A], m![E]> {
    input.fetch()
}
