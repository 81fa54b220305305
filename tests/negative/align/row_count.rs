// The register file tensor has 1, 2, 4 or 8 rows.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 3, K = 32];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]>, // expect error: E0511 3 rows, must be 1, 2, 4 or 8
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M], m![K]> {
    input.align::<m![M], m![K], _, _>(trf)
}
