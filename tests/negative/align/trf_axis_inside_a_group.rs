// A step of Time is 64 positions, which do not end where those of C do.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 2, B = 24, C = 8];

type Group = m![A, C, B];

fn outer<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![{ Group } / 32], m![{ Group } % 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![A, B % 4]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![{ Group } / 64], m![{ Group } % 64]> {
    input.align::<m![{ Group } / 64], m![{ Group } % 64], _, _>(trf)
}

fn inner<'l, const T: Tu>(
    input: CollectTensor<'l, T, i8, m![1], m![1 # 2], m![S], m![{ Group } / 32], m![{ Group } % 32]>,
    trf: &TrfTensor<i8, m![1], m![1 # 2], m![S], m![1], m![C, B % 4]>,
) -> AlignedPair<'l, T, i8, m![1], m![1 # 2], m![S], m![1], m![{ Group } / 64], m![{ Group } % 64]> {
    input.align::<m![{ Group } / 64], m![{ Group } % 64], _, _>(trf) // expect error: E0658 C is read in the middle of Time
}
