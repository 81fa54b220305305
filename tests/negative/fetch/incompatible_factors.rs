// The buffer is ordered in fives, the stream asks for threes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 15, B = 8];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A % 5, A / 5, B]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A % 3, A / 3], m![B]> {
    input.fetch() // expect error: E0202 no common factors of A % 5, A / 5 and A % 3, A / 3
}
