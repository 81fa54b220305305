// Every cast there is, after collect, accumulate and the Vector Engine.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 4];

fn to_i8<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> CastTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![B], m![A # 32]> {
    input.cast()
}

fn to_i4<'l, const T: Tu>(
    input: VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> CastTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![B], m![A # 64]> {
    input.cast()
}

fn to_bf16<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![B], m![A # 16]> {
    input.cast()
}

fn to_f8<'l, const T: Tu>(
    input: VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> CastTensor<'l, T, f8e4m3, m![1], m![1 # 2], m![S], m![B], m![A # 32]> {
    input.cast()
}

fn padded<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![A], m![B # 8]>,
) -> CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![A], m![B # 16]> {
    input.cast()
}

fn unchanged<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]>,
) -> CastTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A]> {
    input.cast()
}
