// The result of the reduction cannot be stashed.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 4, A = 2];

fn remember<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpF32::Add)
        .vector_stash() // expect error: E0735 IntraSliceReduce does not allow a stash
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
