// The weights lie in the reverse order of Time, so that no two loops over the TRF are one, and all of it is added up.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 2, C = 2, D = 2, E = 2, F = 2, G = 2, H = 2, I = 2, K = 64];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, B, C, D, E, F, G, H, I, K / 32], m![K % 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![I, H, G, F, E, D, C, B, A, K]>,
) -> AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![1 # 8]> {
    input
        .align::<m![A, B, C, D, E, F, G, H, I], m![K], _, _>(trf) // expect error: E0658 nine loops, eight entries
        .contract::<m![1]>()
        .accumulate::<m![1], m![1 # 8]>(AccumulationKind::Interleaved)
}
