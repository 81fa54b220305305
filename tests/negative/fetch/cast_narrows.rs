// A fetch widens; narrowing is the work of the Cast Engine.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 32];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.fetch::<i8, m![1], m![A]>() // expect error: E0212 no fetch cast from i32 to i8
}
