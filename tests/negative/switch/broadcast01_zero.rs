// Every parameter of a topology is at least 1.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, X = 4];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, X], m![A, C % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 4, slice0: 1, time0: 0 }) // expect error: E0618 time0 must be greater than 0
}
