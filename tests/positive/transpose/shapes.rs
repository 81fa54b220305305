// The largest matrices of each width, a small one, trimmed padding, and 32 columns.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, C = 8, D = 8, E = 8, F = 16, G = 16];

fn bytes<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, E], m![D # 32]> {
    input.transpose()
}

fn halves<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![C, A], m![E # 16]>,
) -> TransposeTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![C, E], m![A # 16]> {
    input.transpose()
}

fn words<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![C, B], m![E]>,
) -> TransposeTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![C, E], m![B # 8]> {
    input.transpose()
}

fn nibbles<'l, const T: Tu>(
    input: CollectTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![F], m![G # 64]>,
) -> TransposeTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![G], m![F # 64]> {
    input.transpose()
}

fn small<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![B], m![A # 32]> {
    input.transpose()
}

fn untrimmed<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![B # 8], m![A # 32]> {
    input.transpose()
}

fn thirty_two_columns<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![B, C, A], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![B, A, E], m![C # 32]> {
    input.transpose()
}

fn after_the_vector_engine<'l, const T: Tu>(
    input: VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![C, B], m![E]>,
) -> TransposeTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![C, E], m![B # 8]> {
    input.transpose()
}
