// Sequential output carries eight values of one row: the packet, padded to eight.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, B = 2, N = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![M], m![B]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![M, B], m![N]> {
    input.accumulate(AccumulationKind::Sequential) // expect error: E0670 the output packet must be B # 8 // expect error: E0671
}
