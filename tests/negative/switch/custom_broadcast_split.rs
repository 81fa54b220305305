// One new axis fills one place of Slice.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![A = 16, B = 16, C = 8, D = 32, X = 4];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![A / 2, X / 2, B / 2, X % 2], m![C, A % 2, B % 2], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 32 }) // expect error: E0627 X stands in two places
}
