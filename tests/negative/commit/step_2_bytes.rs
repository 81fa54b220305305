// One bf16 value a slice must be padded to eight bytes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256];

fn store<'l, const T: Tu>(
    input: CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![1], m![1 # 16]>,
) -> DmTensor<bf16, m![1], m![1 # 2], m![S], m![1]> {
    input.commit(0x2000) // expect error: E0210 2 bytes a step, must be 8, 16, 24 or 32
}
