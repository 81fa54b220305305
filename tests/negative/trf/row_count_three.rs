// Three rows are fewer than eight, and still no legal number.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 3, K = 16];

fn store<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> {
    weights.to_trf(TrfAddress::Full) // expect error: E0635 3 rows, must be 1, 2, 4 or 8
}
