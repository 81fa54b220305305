// Stream and weights have one scalar type.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 64];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M, K / 32], m![K % 32]>,
    trf: &TrfTensor<f8e4m3, m![1], m![1 # 2], m![S], m![N], m![K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![N], m![M], m![K]> {
    input.align::<m![M], m![K], _, _>(trf) // expect error: E0430 the register file holds f8e4m3, the stream i8
}
