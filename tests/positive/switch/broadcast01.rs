// Broadcast01 with and without time0, onto a new axis and onto padding.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, D = 64, X = 4, Y = 256, E = 1024, F = 1024];

fn grouped<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, D % 4], m![A / 2, C / 2 % 2, A % 2, C % 2], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 2, slice0: 2, time0: 2 })
}

fn onto_padding<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, 1 # 4], m![A, C / 2 % 2, C % 2], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 2, slice0: 2, time0: 1 })
}

fn whole_cluster<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![E / 4], m![1], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![F / 4], m![E / 4], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
}

// One slice holds a vector, all 256 receive it; the other 255 steps are padding.
fn from_one_slice<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![1 # 256], m![1], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![Y], m![1 # 256], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
}

fn nothing<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 1, slice0: 1, time0: 1 })
}
