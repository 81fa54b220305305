// Twelve time steps are no whole number for each of eight rows.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, O = 12, K = 16];

fn store<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![O], m![K]>,
) -> TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> {
    weights.to_trf(TrfAddress::Full) // expect error: E0638 8 rows do not divide 12 time steps
}
