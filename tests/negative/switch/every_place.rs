// The message names every wrong part of the topology, the outermost first.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![K = 256, N = 8, B = 32];

fn all_of_slice<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![K], m![N], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![K % 4, K / 4 % 8, K / 32], m![N, K / 8 % 8], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 8, slice0: 8 }) // expect error: E0619 slice2 and slice0 // expect error: E0620 slice1
}

fn zero<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![K], m![N], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![K], m![N], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 8, slice0: 0 }) // expect error: E0618 slice0 is 0
}

fn zeros_and_slices<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![K], m![N], m![B]>,
) {
    let _half = input
        .switch::<m![K / 2], m![N]>( // expect error: E0617 128 slices
            SwitchConfig::Broadcast01 { slice1: 0, slice0: 2, time0: 0 }, // expect error: E0618 slice1 and time0 are 0
        );
}
