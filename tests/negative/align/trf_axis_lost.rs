// The weights have an axis O that the computation does not walk.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, O = 2, N = 8, K = 32];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![O, K]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![K]> {
    input.align::<m![M], m![K], _, _>(trf) // expect error: E0656 axis O of the register file is not in the computation
}
