// An axis that occurs twice does not hide other errors of the switch.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 4, N = 4, B = 32];

fn before<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![C % 4], m![B]>, // expect error: E0501 C in Slice and Time
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, C / 8 % 4, C % 8], m![C % 4, C / 8 % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0620 C is not new
}

fn time_as_well<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![C % 4], m![B]>, // expect error: E0501 C in Slice and Time
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, N, C % 8], m![A, C / 8 % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0621 Time
}

fn in_slice<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, C % 4, C % 8], m![A, C / 8 % 4], m![B]> { // expect error: E0111 C % 4 twice
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0620 and C is not new
}

fn in_time<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, N, C % 8], m![A, A], m![B]> { // expect error: E0111 A twice
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0621 and not the slices
}

fn in_what_comes<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A, A], m![B]>, // expect error: E0111 A twice
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, A, C % 8], m![A % 2, C / 8 % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0620 // expect error: E0621
}
