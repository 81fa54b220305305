// Inside R there are five slices of X: R has no bits of the slice number.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![R = 5, X = 5, Y = 12];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![[Y, R # 8 / 2, X] # 256], m![R # 8 % 2], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![[Y, R # 8 / 2, X] # 256], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add) // expect error: E0767 R starts at slice 5
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
