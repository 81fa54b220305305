// Exactly eight loops that do not merge, and nine that do.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 128, B = 8, N = 8, C = 8, H = 8, W = 32];

fn reversed<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, B]>,
) -> FetchTensor<
    'l,
    T,
    i8,
    m![1],
    m![1 # 2],
    m![S],
    m![A % 2, A / 2 % 2, A / 4 % 2, A / 8 % 2, A / 16 % 2, A / 32 % 2, A / 64],
    m![B],
> {
    input.fetch()
}

// N, C and the packet are each two neighbouring loops over contiguous memory.
fn merging<'l, const T: Tu>(
    input: BeginTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![N, C, H, W]>,
) -> FetchTensor<
    'l,
    T,
    i8,
    m![1],
    m![1 # 2],
    m![S],
    m![W / 16, H % 2, H / 2, C / 4, C % 4, N / 4, N % 4, W / 8 % 2],
    m![W % 8],
> {
    input.fetch()
}
