// The parameter is called input.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn pass<'l, const T: Tu>(
    input: FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    inputs.collect() // expect error: E0420 unknown name inputs, input is near
}
