// The copies need an axis of their own.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![K = 256, N = 8, B = 32];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![K], m![N], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![K / 64, N, K / 8 % 8], m![K % 8], m![B]> {
    input.switch(SwitchConfig::TransposedBroadcast1 { slice1: 8, slice0: 8 }) // expect error: E0620 the broadcast position must be a new axis // expect error: E0621
}
