// The last call of the chain is misspelt.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![A]> {
    input
        .comit(0x2000) // expect error: E0434 unknown method comit, commit is near
}
