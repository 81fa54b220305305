// A method name with a transposed letter, in the middle of a chain.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn store<'l, const T: Tu>(
    input: FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> {
    input
        .colletc::<m![1], m![A]>() // expect error: E0434 unknown method colletc, collect is near
        .commit(0x2000)
}
