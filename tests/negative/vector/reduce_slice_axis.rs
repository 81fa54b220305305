// R is spread over the slices: that takes an inter-slice reduce.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![W = 64, R = 4, A = 4];

fn sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![W, R], m![1], m![A # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![W, R], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpF32::Add) // expect error: E0745 R is not in time or packet
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
}
