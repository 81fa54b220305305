// Sums have 32 bits, so two rows of them fit.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 4, E = 8];

fn turn<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![D], m![E]>,
) -> TransposeTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![E], m![D # 8]> {
    input.transpose() // expect error: E0683 4 rows of i32, at most 2
}
