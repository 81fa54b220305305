// The write sequencer may place the time axes in any order, and spread a flit over chunks.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, K = 2, W = 8, N = 16];

fn swapped<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M, K], m![W]>,
) -> DmTensor<f32, m![1], m![1 # 2], m![S], m![K, M, W]> {
    input.commit(0)
}

fn swapped_and_truncated<'l, const T: Tu>(
    input: CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K], m![N]>,
) -> DmTensor<bf16, m![1], m![1 # 2], m![S], m![K, M, N = 8]> {
    input.commit(0)
}

fn chunks<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![K], m![M, W]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![K, M, W # 16]> {
    input.commit(0)
}
