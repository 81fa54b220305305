// The leading elements of a flit can be kept; every other element cannot be picked.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 16, B = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A, B / 2]> {
    input.commit(0x2000) // expect error: E0201 not the leading part of the packet
}
