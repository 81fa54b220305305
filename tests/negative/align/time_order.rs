// The stream cannot be reordered while it is aligned.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, O = 2, N = 8, K = 32];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, O, K / 16], m![K % 16]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![O, M], m![K]> {
    input.align::<m![O, M], m![K], _, _>(trf) // expect error: E0653 the time axes change their order
}
