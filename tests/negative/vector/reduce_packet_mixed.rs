// Another axis shares the packet with a padded R.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 7, A = 2];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R # 8 / 2], m![[A, R # 8 % 2] # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A, R # 8 % 2]>()
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpF32::Add) // expect error: E0749 A shares the packet with R
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
