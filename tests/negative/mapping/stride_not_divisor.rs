// An axis of 100 has no blocks of 16; padded to 112 it would have seven.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 100];

fn walk<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A # 112]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A # 112 / 16], m![A # 112 % 16 # 32]> {
    input
        .fetch::<i8, m![A / 16], m![A # 112 % 16]>() // expect error: E0107 16 does not divide 100
        .collect()
}
