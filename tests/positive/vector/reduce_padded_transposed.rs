// The inner part of R in the slices, and exactly as much time as R needs.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![X = 64, R = 14];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 16 % 4], m![R # 16 / 4], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 16 % 4], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
