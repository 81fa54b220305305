// The rows are the outermost part of time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, O = 2, K = 16];

fn store<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![O, N], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![O, K]> {
    weights.to_trf(TrfAddress::Full) // expect error: E0639 the row must be the outer part of time // expect error: E0640
}
