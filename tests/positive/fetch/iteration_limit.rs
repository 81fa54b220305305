// A loop of exactly 65536 turns; a longer one is walked as two.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, X = 65536, Y = 131072, A = 32];

fn once<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![X], m![A]> {
    input.fetch()
}

fn twice<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![Y], m![A]> {
    input.fetch()
}
