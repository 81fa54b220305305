// Struct variants written on one line, on several, with fields in another order, and held in a variable.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, X = 4];

fn one_line<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, X], m![A, C % 4], m![B]> {
    input.switch(SwitchConfig::Broadcast01 { slice1: 4, slice0: 1, time0: 1 })
}

fn other_order<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, X], m![A, C % 4], m![B]> {
    input.switch::<m![C / 4, X], m![A, C % 4]>(SwitchConfig::Broadcast01 {
        time0: 1,
        slice0: 1,
        slice1: 2 * 2,
    })
}

fn held<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4, X], m![A, C % 4], m![B]> {
    let slice1 = 4;
    let ring = SwitchConfig::Broadcast01 { slice1, slice0: 1, time0: 1 };
    input.switch(ring)
}
