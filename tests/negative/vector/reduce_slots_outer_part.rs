// Nine values wait inside the outer part of R.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 4, B = 9, A = 2];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R / 2, B, R % 2], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![B], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![B], m![A # 4]>(IntraSliceReduceOpI32::AddSat) // expect error: E0750 9 accumulator slots, 8 exist
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
