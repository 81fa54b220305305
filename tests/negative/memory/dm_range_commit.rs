// The result of a pass must end inside DM, too.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, T0 = 4, A = 8];

fn store<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![T0], m![A]>,
) -> DmTensor<i32, m![1], m![1 # 2], m![S], m![T0, A]> {
    input.commit(512 * 1024 - 96) // expect error: E0510 the tensor ends beyond DM
}
