// The copies need an axis of their own.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 4, B = 32];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, A, C % 8], m![C / 8 % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0620 the broadcast position must be a new axis // expect error: E0621
}
