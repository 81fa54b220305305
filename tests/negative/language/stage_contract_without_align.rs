// Only an aligned pair can be contracted.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 32, K = 32];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, K / 16], m![K % 16]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M], m![1 # 8]> {
    input
        .contract::<m![1]>() // expect error: E0434 no contract before align
        .accumulate(AccumulationKind::Interleaved)
}
