// 48 slices do not divide 256.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32];

fn turn<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 32, C % 2, C / 2 % 16], m![A], m![B]> {
    input.switch(SwitchConfig::Transpose { slice1: 24, slice0: 2 }) // expect error: E0618 slice1 * slice0 does not divide 256
}
