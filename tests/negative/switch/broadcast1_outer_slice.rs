// The outermost slices stay in place.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, X = 4];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![X, C / 32, C % 8], m![A, C / 8 % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast1 { slice1: 4, slice0: 8 }) // expect error: E0619 the outer slice part changes // expect error: E0620 and C is not new
}
