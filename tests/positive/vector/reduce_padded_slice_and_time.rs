// The outer part of R in the slices, the inner in time: slice 5 has two valid steps, later ones none.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![X = 32, R = 17, A = 4];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 24 / 3], m![R # 24 % 3], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 24 / 3], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
