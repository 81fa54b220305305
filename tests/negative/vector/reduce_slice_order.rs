// Parts of R in the slices must grow outward.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![X = 32, R = 13];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 16 / 2 % 4, R # 16 / 8], m![R # 16 % 2], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 16 / 2 % 4, R # 16 / 8], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Min) // expect error: E0766 parts of R in Slice are in the wrong order
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
