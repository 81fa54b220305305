// The type after the cast decides how many rows fit: eight of i8, four of bf16.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 8, E = 8];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![D], m![E]>,
) -> TransposeTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![E], m![D # 16]> {
    input
        .cast::<bf16, m![E # 16]>()
        .transpose() // expect error: E0683 8 rows of bf16, at most 4
}
