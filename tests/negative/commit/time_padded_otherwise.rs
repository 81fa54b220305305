// The sequencer counts steps: three in Time are three in Element.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 3, B = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A # 4, B]> {
    input.commit(0x2000) // expect error: E0689 four places for three steps
}
