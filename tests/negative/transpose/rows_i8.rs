// The buffer takes eight rows of bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 16, E = 8];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E], m![D # 32]> {
    input.transpose() // expect error: E0683 16 rows of i8, at most 8
}
