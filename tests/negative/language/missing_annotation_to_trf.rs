// `_` in align takes the row and the element from the argument, and the argument has no type.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, N = 8, K = 32];

fn multiply<'l, const T: Tu>(
    weights: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![N, K / 16], m![K % 16]>,
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M], m![1 # 8]> {
    let trf = weights
        .to_trf(TrfAddress::Full); // expect error: E0431 the row and element of to_trf cannot be inferred
    input
        .align::<m![M], m![K], _, _>(&trf)
        .contract::<m![1]>()
        .accumulate(AccumulationKind::Sequential)
}
