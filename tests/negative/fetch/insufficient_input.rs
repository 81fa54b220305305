// The slice holds a part of N only; the stream asks for all of it.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 2048];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![N % 512]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![N / 512], m![N % 512]> {
    input.fetch() // expect error: E0201 N / 512 is not in the buffer
}
