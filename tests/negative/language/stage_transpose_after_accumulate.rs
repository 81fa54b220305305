// options: --rules=reference
// In the reference library sums are not transposed on their way out of the accumulator.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 2, E = 8];

fn turn<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![D], m![E]>,
) -> TransposeTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![E], m![D # 8]> {
    input.transpose() // expect error: E0601 only under these rules
}
