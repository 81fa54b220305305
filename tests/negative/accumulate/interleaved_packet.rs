// Interleaved output carries one value of every row: the packet is the row, padded.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, N = 8, P = 8];

fn sum<'l, const T: Tu>(
    input: ContractionTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![N], m![A, B], m![P]>,
) -> AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, N], m![P]> {
    input.accumulate(AccumulationKind::Interleaved) // expect error: E0670 the output packet must be N // expect error: E0671
}
