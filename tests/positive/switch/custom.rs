// Custom rings: a full permutation, copies, part of an axis, and the smallest ring of all.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![A = 16, B = 16, C = 8, D = 32, P = 4, Q = 8, R = 8, S = 256, X = 4, Y = 2, Z = 2];

fn permutation<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![B % 4, B / 4, A % 4, A / 4], m![C], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 256 })
}

fn inner_permutation<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![R, Q, P], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![R, P, Q], m![C], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 32 })
}

fn copies<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![A / 2, Y, B / 2, Z], m![C, A % 2, B % 2], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 32 })
}

fn part_of_an_axis<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B / 4, X], m![C, B % 4 = 3], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 4 })
}

fn everything_to_everyone<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, A, B], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 256 })
}

fn stay<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 1 })
}
