// The digit R / 8 % 2 is walked twice in one stream.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 32, B = 8];

fn walk<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![R, B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![R], m![B # 32]> {
    input
        .fetch::<i8, m![R, R / 8 % 2], m![B]>() // expect error: E0111 R and R / 8 % 2 overlap
        .collect()
}
