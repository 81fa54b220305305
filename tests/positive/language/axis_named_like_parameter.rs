// An axis may be called T or M although a parameter and a trait have these names.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, T = 5, M = 32, N = 8, K = 16];

fn repeat<'l, const T: Tu>(
    input: CollectTensor<'l, { T }, bf16, m![1], m![1 # 2], m![S], m![M], m![K]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![T, K]>,
) -> AlignedPair<'l, { T }, bf16, m![1], m![1 # 2], m![S], m![N], m![M, T], m![K # 32]> {
    input.align::<m![M, T], m![K # 32], _, _>(trf)
}
