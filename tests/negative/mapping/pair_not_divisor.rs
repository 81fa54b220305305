// Grouping multiplies the sizes: 3 times 5 is no multiple of 8.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 5];

fn walk<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![[A, B] # 16]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![[A, B] / 8], m![[A, B] # 16 % 8]> { // expect error: E0107 8 does not divide 15
    input.fetch::<i8, m![[A, B] / 8], m![[A, B] # 16 % 8]>() // expect error: E0107 8 does not divide 15
}
