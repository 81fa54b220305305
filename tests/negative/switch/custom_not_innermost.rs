// Axes that move into time go to its innermost positions.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![A = 16, B = 16, C = 8, D = 32, X = 2, Y = 2];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![A, B], m![C], m![D]>,
) -> SwitchTensor<'l, T, i8, m![1], m![1 # 2], m![A / 2, X, B / 2, Y], m![A % 2, C, B % 2], m![D]> {
    input.switch(SwitchConfig::CustomBroadcast { ring_size: 32 }) // expect error: E0625 the moved axes must be innermost in time
}
