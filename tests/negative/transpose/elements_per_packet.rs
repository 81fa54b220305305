// A packet brings eight bytes into the buffer; here it holds sixteen.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 8, E = 16];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E], m![D # 32]> {
    input.transpose() // expect error: E0682 16 elements a packet, at most 8
}
