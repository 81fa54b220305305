// Valid lanes are counted from the first on, and here every other lane is padding.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 19];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R # 20 / 4], m![R # 20 % 4, 1 # 2]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R # 20 / 2], m![R # 20 % 2, 1 # 2]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add) // expect error: E0765 padding among the lanes of R
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
