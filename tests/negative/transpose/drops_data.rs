// Only rows of padding may be trimmed.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 8, D = 8, E = 8];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, D], m![E # 32]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, E = 4], m![D # 32]> {
    input.transpose() // expect error: E0686 rows with data are trimmed
}
