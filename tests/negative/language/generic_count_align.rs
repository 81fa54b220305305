// The row and the element of the register file are arguments too, even if only as `_`.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 32];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![K]> {
    input.align::<m![M], m![K]>(trf) // expect error: E0432 align takes 4 type arguments, 2 given
}
