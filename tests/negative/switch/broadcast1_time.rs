// slice1 moves into the innermost time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, X = 4];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, X, C % 8], m![C / 8 % 4, A], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0621 time must be A, C / 8 % 4
}
