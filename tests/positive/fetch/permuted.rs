// The axes of the buffer are walked in any order, packets of scattered pieces included.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 4, C = 3, H = 4, W = 8];

fn outer<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![N, C, H, W]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![H, N, C], m![W]> {
    input.fetch()
}

fn inside<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![N, C, H, W]>,
) -> FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![N, H, C, W]> {
    input.fetch()
}
