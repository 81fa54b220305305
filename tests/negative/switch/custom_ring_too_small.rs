// The whole cluster is permuted: the ring is 256.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![A = 16, B = 16, C = 8, D = 32];

fn permute<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![B % 4, B / 4, A % 4, A / 4], m![C], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 16 }) // expect error: E0623 ring_size must be 256
}
