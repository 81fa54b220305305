// All rows together hold 64 KiB.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 4112];

fn store<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, K / 16], m![K % 16]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> {
    weights.to_trf(TrfAddress::Full) // expect error: E0636 65792 bytes exceed 65536
}
