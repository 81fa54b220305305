// Eight loops over the register file, in an order of their own, and reads of 64 bytes at multiples of 64.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 256, K = 16, O = 4, N = 8, J = 64];

fn eight_loops<'l, const T: Tu>(
    input: CollectTensor<
        'l,
        T,
        bf16,
        m![1],
        m![1 # 2],
        m![S],
        m![A % 2, A / 2 % 2, A / 4 % 2, A / 8 % 2, A / 16 % 2, A / 32 % 2, A / 64 % 2, A / 128],
        m![K],
    >,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![1], m![A, K]>,
) {
    let _pair = input.align::<m![A % 2, A / 2 % 2, A / 4 % 2, A / 8 % 2, A / 16 % 2, A / 32 % 2, A / 64 % 2, A / 128], m![K # 32], _, _>(trf);
}

fn wide_reads<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![O, J / 16], m![J % 16]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![O, J]>,
) {
    let _pair = input.align::<m![O, J / 32], m![J % 32], _, _>(trf);
}
