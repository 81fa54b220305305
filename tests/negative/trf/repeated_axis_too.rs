// An axis that occurs twice does not hide that the tensor is too large for the TRF.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 8, K = 16384];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![N, K / 32], m![K % 32]>,
) -> TrfTensor<i8, m![1], m![1 # 2], m![S], m![N], m![N, K]> { // expect error: E0501 N in Row and Element
    input.to_trf(TrfAddress::Full) // expect error: E0636 too large // expect error: E0640 and not what comes in
}
