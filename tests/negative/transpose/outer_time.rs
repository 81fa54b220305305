// The time outside the matrix stays as it is.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 2, C = 4, D = 8, E = 8];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![B, C, D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, B, E], m![D # 32]> {
    input.transpose() // expect error: E0686 the outer time changes
}
