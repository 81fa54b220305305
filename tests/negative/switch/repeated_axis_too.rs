// An axis that occurs twice does not hide what is wrong with the switch.
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
