// The slices of a ring receive copies: their position is a new axis, not one of the input.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 4, B = 32];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, A], m![C % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 4, slice0: 1, time0: 1 }) // expect error: E0620 the broadcast position must be a new axis // expect error: E0621
}
