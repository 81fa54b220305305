// options: --rules=reference
// What the reference library commits: all of the stream, its time in any order, a packet in one piece.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 4, B = 3, C = 8];

fn turned<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A, B], m![C]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![B, A, C]> {
    input.commit(0x2000)
}
