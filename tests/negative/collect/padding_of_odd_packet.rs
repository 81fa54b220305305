// 40 bytes become two flits: the packet is padded to 64 before it is cut.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 40];

fn flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A, B / 20], m![B % 20 # 32]> {
    input.collect() // expect error: E0632 the packet must be B # 64 % 32 // expect error: E0633
}
