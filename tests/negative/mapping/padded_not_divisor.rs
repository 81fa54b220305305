// The padded size counts: 72 is no multiple of 16.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 65];

fn walk<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A # 72]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A # 72 / 24], m![A # 72 % 24 # 32]> {
    input
        .fetch::<i8, m![A # 72 / 16], m![A # 72 % 24]>() // expect error: E0107 16 does not divide 72
        .collect()
}
