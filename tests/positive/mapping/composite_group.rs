// 8 times 5 values do not split into whole rows of flits: the cut goes through the group.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, E = 5];

fn flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![A, E]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![[A, E] # 64 / 32], m![[A, E] # 64 % 32]> {
    input.collect()
}
