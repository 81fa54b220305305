// An axis that repeats the stream is the innermost of time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 16, X = 5];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M], m![K]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![X, K]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![X, M], m![K # 32]> {
    input.align::<m![X, M], m![K # 32], _, _>(trf) // expect error: E0654 the repeating axis X must be innermost
}
