// One entry is too short for this loop, a prime number of iterations is not shared by two, and all of it is added up.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, C = 2, P = 65537, K = 32];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![C, P], m![K]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![C, K]>,
) -> AccumulationTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![1 # 8]> {
    input
        .align::<m![C, P], m![K # 64], _, _>(trf) // expect error: E0658 a loop of 65537 iterations
        .contract::<m![1]>()
        .accumulate::<m![1], m![1 # 8]>(AccumulationKind::Interleaved)
}
