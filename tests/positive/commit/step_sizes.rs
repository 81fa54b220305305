// Steps of 8, 16, 24 and 32 bytes; padding and trailing elements are left out of the write.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, K = 2, W = 8, N = 16, J = 64, V = 24];

fn eight<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M, K], m![W # 32]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![M, K, W]> {
    input.commit(0)
}

fn sixteen_of_thirty_two<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M, K], m![W]>,
) -> DmTensor<f32, m![1], m![1 # 2], m![S], m![M, K, W = 4]> {
    input.commit(0)
}

fn twenty_four<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M, K], m![V # 32]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![M, K, V]> {
    input.commit(0)
}

fn thirty_two<'l, const T: Tu>(
    input: CollectTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![M, K], m![J]>,
) -> DmTensor<i4, m![1], m![1 # 2], m![S], m![M, K, J]> {
    input.commit(0)
}

fn padding_kept<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M], m![W # 32]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![M, W # 16]> {
    input.commit(0)
}

fn single_value<'l, const T: Tu>(
    input: CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![1 # 16]>,
) -> DmTensor<bf16, m![1], m![1 # 2], m![S], m![1 # 4]> {
    input.commit(0)
}
