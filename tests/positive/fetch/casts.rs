// The four widening casts of a fetch, and the identity.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 8];

fn from_i8<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch()
}

fn from_i4<'l, const T: Tu>(
    input: BeginTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch()
}

fn from_bf16<'l, const T: Tu>(
    input: BeginTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch()
}

fn from_f8<'l, const T: Tu>(
    input: BeginTensor<'l, T, f8e4m3, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch()
}

fn unchanged<'l, const T: Tu>(
    input: BeginTensor<'l, T, i16, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, i16, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch()
}
