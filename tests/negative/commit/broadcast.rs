// X only repeats data; a write sequencer cannot write many values to one place.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, X = 4, A = 8];

fn store<'l, const T: Tu>(
    input: BeginTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![1 # 4, A]> {
    input
        .fetch::<i32, m![X], m![A]>()
        .collect::<m![X], m![A]>()
        .commit(0x2000) // expect error: E0206 time axis X is not in the element
}
