// The stash has an axis R, the stream no more.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 4, A = 2];

fn residual<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R], m![A # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_trim_way4::<m![A # 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![A # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![A # 8]>()
        .vector_clip(ClipBinaryOpF32::Max, Stash) // expect error: E0741 axis R of the stash is not in the stream
        .vector_final()
}
