// The second row of the weights begins in the middle of a read of 64 bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 4, K = 48];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![N, K # 64 / 32], m![K # 64 % 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![N, K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![N], m![K # 64]> {
    input.align::<m![N], m![K # 64], _, _>(trf) // expect error: E0659 rows of 48 bytes
}
