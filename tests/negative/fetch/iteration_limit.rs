// One loop of a sequencer turns at most 65536 times, and a prime number of turns is no two loops.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, X = 65537, A = 32];

fn read<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![X], m![A]> {
    input.fetch() // expect error: E0204 a loop of 65537 turns, at most 65536
}
