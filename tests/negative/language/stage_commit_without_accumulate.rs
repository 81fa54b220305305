// The products leave the Contraction Engine through accumulate only.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 32];

fn reduce<'l, const T: Tu>(
    input: AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![K]>,
) -> DmTensor<f32, m![1], m![1 # 2], m![S], m![M, N]> {
    input
        .contract::<m![1]>()
        .commit(0x2000) // expect error: E0434 no commit before accumulate
}
