// The packet that goes out has two rows, but they take sixteen steps of Time: the steps of `C` are all padding but one.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 1, D = 2, E = 8];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C # 8, D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E], m![D # 32]> {
    input.transpose() // expect error: E0683 in Time 16 with padding
}

fn few_rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C # 4, D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E], m![D # 32]> {
    input.transpose()
}
