// time0 sits between slice1 and slice0.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, X = 4];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, X], m![A, C / 2 % 2, C % 2], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 2, slice0: 2, time0: 2 }) // expect error: E0621 time must be A / 2, C / 2 % 2, A % 2, C % 2
}
