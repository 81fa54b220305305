// The helper is called widen.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn widen<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.fetch()
}

fn widen_and_collect<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    widne(input).collect() // expect error: E0420 unknown function widne, widen is near
}
