// Names the first flit correctly, but not the third: `X % 36 # 96` goes on where `X % 72 # 96` ends.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 12, D = 12];

fn flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![[D, C] % 72 # 96]>,
) -> CollectTensor<
    'l, T, i8, m![1], m![1 # 2], m![S], m![[D, C] % 72 # 96 / 32], m![[D, C] % 36 # 96 % 32],
> {
    input.collect() // expect error: E0632 the flits of this stream are
}
