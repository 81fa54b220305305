// A read has a power of two of bytes, so weights of 12 bytes cannot be repeated every 12 bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, J = 2, K = 12];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![M], m![[J, K] # 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![K]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![M], m![[J, K] # 64]> {
    input.align::<m![M], m![[J, K] # 64], _, _>(trf) // expect error: E0657 the second of J starts at byte 12
}
