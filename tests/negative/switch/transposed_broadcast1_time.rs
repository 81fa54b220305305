// slice0 goes into the innermost time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![K = 256, N = 4, B = 32, M = 8];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![K], m![N], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![K / 64, M, K / 8 % 8], m![K % 8, N], m![B]> {
    input.switch(SwitchConfig::TransposedBroadcast1 { slice1: 8, slice0: 8 }) // expect error: E0621 time must be N, K % 8
}
