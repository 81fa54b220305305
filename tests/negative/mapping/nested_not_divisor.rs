// After `% 24` there are 24 positions left, and 16 does not divide them.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 96];

fn walk<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A / 8], m![A % 8 # 32]> {
    input
        .fetch::<i8, m![A / 24, A % 24 / 16], m![A % 8]>() // expect error: E0107 16 does not divide 24
        .collect()
}
