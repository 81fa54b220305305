// Two flits are packed and the packet is repeated: the repeated axis must come after the rest of Time, not before it.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 30, O = 2, N = 8, L = 2, J = 16, X = 5];

fn pair_up<'l, const T: Tu>(
    input: CollectTensor<'l, T, bf16, m![1], m![1 # 2], m![S], m![M, O, L], m![J]>,
    trf: &TrfTensor<bf16, m![1], m![1 # 2], m![S], m![N], m![X, J]>,
) -> AlignedPair<'l, T, bf16, m![1], m![1 # 2], m![S], m![N], m![M, X, O], m![L, J]> {
    input.align::<m![M, X, O], m![L, J], _, _>(trf) // expect error: E0654 O is inside X
}
