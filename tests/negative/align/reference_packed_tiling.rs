// options: --rules=reference
// The reference library wants a repeated axis inside the packed flits as well.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![M = 30, N = 8, L = 2, J = 16, X = 5];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![1 # 256], m![M, L], m![J]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![X, J]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![1 # 256], m![N], m![M, X], m![L, J]> {
    input.align::<m![M, X], m![L, J], _, _>(trf) // expect error: E0654 only under these rules
}
