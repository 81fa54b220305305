// options: --rules=reference
// In the reference library a stream is cast or transposed, not both.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 8, E = 8];

fn turn<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![D], m![E]>,
) -> TransposeTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![E], m![D # 32]> {
    input
        .cast::<i8, m![E # 32]>()
        .transpose() // expect error: E0601 only under these rules
}
