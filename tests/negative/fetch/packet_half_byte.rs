// Nine i4 values are no whole number of bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 9];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![1], m![A, B # 16]>,
) -> FetchTensor<'l, T, i4, m![1], m![1 # 2], m![S], m![A], m![B]> {
    input.fetch() // expect error: E0208 9 elements of 4 bits are no whole bytes
}
