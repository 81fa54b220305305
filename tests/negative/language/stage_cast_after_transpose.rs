// The Cast Engine comes before the Transpose Engine.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, D = 2, E = 8];

fn turn<'l, const T: Tu>(
    input: AccumulationTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![D], m![E]>,
) -> CastTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![E], m![D # 16]> {
    input
        .transpose::<m![E], m![D # 8]>()
        .cast() // expect error: E0601 too late for a cast
}
