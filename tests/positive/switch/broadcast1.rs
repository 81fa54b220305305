// Broadcast1: the middle slices become copies, the inner ones stay.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, X = 4];

fn onto_axis<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, X, C % 8], m![A, C / 8 % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 })
}

fn onto_padding<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![1 # 4, C % 64], m![A, C / 64], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 64 })
}
