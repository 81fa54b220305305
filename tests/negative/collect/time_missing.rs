// Two flits a packet, one time step.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 64];

fn flits<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![A], m![B % 32]> {
    input.collect() // expect error: E0633 B / 32 is missing in time
}
