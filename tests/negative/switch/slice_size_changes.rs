// The slices in and out are the 256 of the cluster.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![C = 256, A = 8, B = 32, X = 4];

fn spread<'l, const T: Tu>(
    input: FetchTensor<'l, T, i8, m![1], m![1 # 2], m![C], m![A], m![B]>,
) -> CollectTensor<'l, T, i8, m![1], m![1 # 2], m![C / 4], m![A, C % 4], m![B]> {
    input
        .switch::<m![C / 4], m![A, C % 4]>(SwitchConfig::Broadcast01 { slice1: 4, slice0: 1, time0: 1 }) // expect error: E0617 256 slices in, 64 out
        .collect()
}
