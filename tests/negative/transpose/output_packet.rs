// A transposed row is padded to a flit.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 8, D = 8, E = 8];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, E], m![D]> {
    input.transpose() // expect error: E0681 the output packet is 8 bytes, must be 32
}
