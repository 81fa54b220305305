// The new packet must come out of the time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 8, D = 8, E = 8, F = 4];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, E], m![F # 32]> {
    input.transpose() // expect error: E0684 the rows F are not in the time
}
