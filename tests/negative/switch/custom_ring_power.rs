// A ring is a power of two.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![A = 16, B = 16, C = 8, D = 32, X = 4];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B / 4, X], m![C, B % 4], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 6 }) // expect error: E0622 ring_size is no power of two
}
