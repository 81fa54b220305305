// The axis is called Head; the mapping spells it Haed.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, Head = 64];

fn split_heads<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![Head]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![Head / 32], m![Head % 32]> {
    input.collect::<m![Haed / 32], m![Head % 32]>() // expect error: E0420 unknown axis Haed, Head is near
}
