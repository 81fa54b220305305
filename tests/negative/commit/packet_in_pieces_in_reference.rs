// options: --rules=reference
// The reference library writes a packet in one piece.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 2, C = 2, D = 2];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B, C, D]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A, C, B, D]> {
    input.commit(0x2000) // expect error: E0691 B and C are turned round
}
