// Integers widen to integers.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.fetch::<f32, m![1], m![A]>() // expect error: E0212 no fetch cast from i8 to f32
}
