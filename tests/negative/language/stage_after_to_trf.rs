// A pass that ends in the register file has no stream left to commit.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 16];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![K]>,
) -> DmTensor<bf16, m![1], m![1 # 2], m![S], m![N, K]> {
    input
        .to_trf::<m![N], m![K]>(TrfAddress::Full)
        .commit(0x2000) // expect error: E0434 no commit after to_trf
}
