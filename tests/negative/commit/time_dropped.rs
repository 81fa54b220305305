// Every time axis has a place in DM.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, C = 2, B = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![C, A], m![B]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![1 # 2, A, B]> {
    input.commit(0x2000) // expect error: E0206 time axis C is not in the element
}
