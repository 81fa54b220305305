// Every axis of the tensor is fetched; A has no place in the stream.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 32];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![B]> {
    input.fetch() // expect error: E0609 axis A of the tensor is not in the stream
}
