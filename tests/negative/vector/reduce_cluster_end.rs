// The first cluster is full of R, the second is not.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 13];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![R # 16 / 8], m![S], m![R # 16 % 8], m![1 # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![R # 16 / 8], m![S], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add) // expect error: E0770 R ends inside a cluster
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
