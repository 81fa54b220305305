// Bits of A in reverse order: nine loops and the packet, and no two merge.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 512, B = 8];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<
    'l,
    T,
    i8,
    m![1],
    m![1 # 2],
    m![S],
    m![A % 2, A / 2 % 2, A / 4 % 2, A / 8 % 2, A / 16 % 2, A / 32 % 2, A / 64 % 2, A / 128 % 2, A / 256],
    m![B],
> {
    input.fetch() // expect error: E0203 ten sequencer entries, at most eight
}
