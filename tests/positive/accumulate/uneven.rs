// What is added up ends anywhere where it stands outermost, and is padded to whole rounds elsewhere.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 2, A = 3, E = 5, N = 8, B = 4];

fn outermost<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![[A, E] # 17], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![E], m![N]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn a_round_more<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![C, [A, E] # 20], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![C, E], m![N]> {
    input.accumulate(AccumulationKind::Interleaved)
}

fn whole_rounds_inside<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![C, [B, A] # 15], m![1]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B # 5], m![N]> {
    input.accumulate(AccumulationKind::Interleaved)
}
