// Transpose exchanges slices and keeps the time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32];

fn turn<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 64, C % 2, C / 2 % 32], m![A % 2, A / 2], m![B]> {
    input.switch(SwitchConfig::Transpose { slice1: 32, slice0: 2 }) // expect error: E0621 Transpose keeps the time
}
