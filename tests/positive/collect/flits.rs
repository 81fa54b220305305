// A packet of one flit passes, a shorter one is padded, longer ones become several flits.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 32, C = 16, D = 64, E = 40, F = 128];

fn identity<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.collect()
}

fn short<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![C]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![C # 32]> {
    input.collect()
}

fn two_flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![D]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, D / 32], m![D % 32]> {
    input.collect()
}

// 40 bytes: padded to 64, then cut.
fn odd<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![E]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, E # 64 / 32], m![E # 64 % 32]> {
    input.collect()
}

fn nibbles<'l, const T: Tu>(
    input: FetchTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![A], m![F]>,
) -> CollectTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![A, F / 64], m![F % 64]> {
    input.collect()
}

fn words<'l, const T: Tu>(
    input: SwitchTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A, B / 8], m![B % 8]> {
    input.collect()
}
