// A stream has the same units as a tensor at rest.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 64, A = 32];

fn pass<'l, const T: Tu>(
    input: FetchTensor<
        'l,
        T,
        i8,
        m![1],
        m![1 # 2],
        m![S], // expect error: E0503 Slice is 64, must be 256
        m![1],
        m![A],
    >,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.collect()
}
