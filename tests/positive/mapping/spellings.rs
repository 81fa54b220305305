// Many ways to write one layout: the engines compare what mappings mean, not how they are spelt.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 64, D = 4, E = 5];

type Inner = m![B % 32];
type Outer = m![B / 32];

fn aliases<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, { Outer }], Inner> {
    input.collect()
}

fn brackets<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![[A], (B / 32)], m![B % 32 # 32]> {
    input.collect()
}

fn nested_cuts<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1, A / 1, B / 16 / 2], m![B % 32 / 8, B % 32 % 8]> {
    input.collect()
}

fn no_operations<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A = 8, B / 32 = 2], m![B % 32 = 32 # 32 # 32]> {
    input.collect()
}

fn padding_floats_out<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E # 8], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![[E, B / 32] # 16], m![B % 32]> {
    input.collect()
}

fn group_under_an_operator<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![[A, D] # 64]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![[A, D] # 64 / 32], m![[A, D] # 64 % 32]> {
    input.collect()
}
