// Time already walks all of A.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 64];

fn walk<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A / 32], m![A % 32]> {
    input
        .fetch::<i8, m![A], m![A % 32]>() // expect error: E0111 A and A % 32 overlap
        .collect()
}
