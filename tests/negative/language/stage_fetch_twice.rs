// One fetch a pass.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .fetch::<i8, m![1], m![A]>()
        .fetch::<i32, m![1], m![A]>() // expect error: E0601 no fetch after fetch
}
