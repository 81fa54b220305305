// The lanes stay as they are, or one is left: 1 # 4.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 8, A = 4];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![A / 2], m![A % 2 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![A / 2], m![A % 2 # 4]>(IntraSliceReduceOpI32::AddSat) // expect error: E0747 the packet must be A or 1 # 4 // expect error: E0748
        .vector_pad_way8::<m![A % 2 # 8]>()
        .vector_final()
}
