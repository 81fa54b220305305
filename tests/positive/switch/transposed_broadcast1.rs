// TransposedBroadcast1: copies outside, slice1 inside, slice0 into time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![K = 256, N = 4, B = 32, M = 8, Q = 64];

fn eight_by_eight<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![K], m![N], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![K / 64, M, K / 8 % 8], m![N, K % 8], m![B]> {
    input.switch(SwitchConfig::TransposedBroadcast1 { slice1: 8, slice0: 8 })
}

fn padded_outside<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![1 # 4, Q], m![N], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![1 # 4, M, Q / 8], m![N, Q % 8], m![B]> {
    input.switch(SwitchConfig::TransposedBroadcast1 { slice1: 8, slice0: 8 })
}
