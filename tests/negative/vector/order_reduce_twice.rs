// There is one reduction a pass.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 4, R = 8];

fn two_sums<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q], m![R]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Q, R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![Q], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_intra_slice_reduce::<Q, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add) // expect error: E0702 IntraSliceReduce cannot follow IntraSliceReduce
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
