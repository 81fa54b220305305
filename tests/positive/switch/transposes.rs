// Transpose exchanges slices with slices, InterTranspose slices with time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32];

fn within_slices<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 64, C % 2, C / 2 % 32], m![A], m![B]> {
    input.switch(SwitchConfig::Transpose { slice1: 32, slice0: 2 })
}

fn with_time<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, A / 2 % 2, C % 16], m![A / 4, A % 2, C / 16 % 2], m![B]> {
    input.switch(SwitchConfig::InterTranspose { slice1: 2, slice0: 16, time0: 2 })
}

fn all_of_time<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![A, C % 32], m![C / 32], m![B]> {
    input.switch(SwitchConfig::InterTranspose { slice1: 8, slice0: 32, time0: 1 })
}
