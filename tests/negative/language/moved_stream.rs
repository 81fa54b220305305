// A stream is consumed by the call that continues it.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn twice<'l, const T: Tu>(
    input: FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    let _first = input.collect::<m![1], m![A]>();
    input.collect::<m![1], m![A]>() // expect error: E0458 input was moved
}
