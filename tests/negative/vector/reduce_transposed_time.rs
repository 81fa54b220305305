// The inner part of R is in the slices: time may not be longer than needed.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![X = 64, R = 14];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 20 % 4], m![R # 20 / 4], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 20 % 4], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::AddSat) // expect error: E0768 time of R is 5, must be 4
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
