// The freed slices hold copies, not an axis of the input time.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![A = 16, B = 16, C = 4, D = 32];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B / 4, C], m![B % 4], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 4 }) // expect error: E0620 the broadcast position must be a new axis // expect error: E0625
}
