// Floats widen to floats.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.fetch::<i32, m![1], m![A]>() // expect error: E0212 no fetch cast from bf16 to i32
}
