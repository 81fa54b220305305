// The reduction tree has four inputs.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 4, A = 8];

fn wide_max<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpI32::Max) // expect error: E0711 the reduction needs four lanes // expect error: E0713
        .vector_final()
}
