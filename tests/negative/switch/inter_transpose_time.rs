// What left the slices becomes the innermost time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32];

fn swap<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, A / 2 % 2, C % 16], m![A / 4, C / 16 % 2, A % 2], m![B]> {
    input.switch(SwitchConfig::InterTranspose { slice1: 2, slice0: 16, time0: 2 }) // expect error: E0621 time must be A / 4, A % 2, C / 16 % 2
}
