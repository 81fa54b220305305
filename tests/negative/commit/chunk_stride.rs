// A flit of four chunks may be spread in DM, at strides of eight bytes; twelve is none.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, K = 2, M = 4, W = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![K], m![M, W]>,
) -> DmTensor<i8, m![1], m![1 # 2], m![S], m![K, M, W # 12]> {
    input.commit(0x2000) // expect error: E0209 a stride of 12 bytes is no multiple of 8
}
