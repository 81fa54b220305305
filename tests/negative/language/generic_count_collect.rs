// collect takes a time and a packet; the scalar type belongs to fetch.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn pass<'l, const T: Tu>(
    input: FetchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input.collect::<i32, m![1], m![A]>() // expect error: E0432 collect takes 2 type arguments, 3 given
}
