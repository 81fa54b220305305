// A loop that turns more often than one entry counts, and does not come out as two: a long command and a short one.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, X = 65537, Y = 131073, Q = 8];

// 65536 turns and one.
fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![Q]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![X], m![Q]> {
    input.fetch()
}

// 131072 turns, for which there are entries enough, and one.
fn twice<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![Q]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![Y], m![Q]> {
    input.fetch()
}
