// A stream may leave out positions of an axis and may repeat data over a new one.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 8, C = 8, X = 4];

fn slicing<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B, C]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A / 4, A % 4 = 3, B], m![C]> {
    input.fetch()
}

fn repeating<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, C]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![X, A], m![C]> {
    input.fetch()
}
