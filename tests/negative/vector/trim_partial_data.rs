// Six lanes are in use; four can be kept.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 6];

fn lower<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A = 4 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A = 4]>() // expect error: E0715 the upper lanes hold data
        .vector_pad_way8::<m![A = 4 # 8]>()
        .vector_final()
}
