// A step writes 8, 16, 24 or 32 bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 4];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B # 32]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![A, B]> {
    input.commit(0x2000) // expect error: E0210 4 bytes a step, must be 8, 16, 24 or 32
}
