// The padding covers the whole group of 60 elements.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 12, B = 5];

fn walk<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![[A, B] # 64 / 32], m![[A, B] # 64 % 32]> {
    input
        .fetch::<i8, m![1], m![[A, B] # 56]>() // expect error: E0108 padding to 56 is smaller than 60
        .collect()
}
