// Both were given all of it, and a half is enough for each.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 32];

fn two<'l, const T: Tu>(
    w0: CollectTensor<'l, { Tu::Sub }, bf16, m![1], m![1 # 2], m![S], m![N, K / 16], m![K % 16]>,
    w1: CollectTensor<'l, { Tu::Sub }, bf16, m![1], m![1 # 2], m![S], m![N, K / 16], m![K % 16]>,
    x0: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
    x1: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
) {
    let first: TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> = w0.to_trf(TrfAddress::Full);
    let second: TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![K]> = w1.to_trf(TrfAddress::Full); // expect error: E0571 overwrites first, which is read later
    let _a = x0.align::<m![M], m![K], _, _>(&second);
    let _b = x1.align::<m![M], m![K], _, _>(&first);
}
