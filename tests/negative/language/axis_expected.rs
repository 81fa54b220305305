// The reduce axis is given by its bare name; a mapping is not a name.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![X = 64, A = 8, R = 12];

fn total<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![X, A / 2], m![R], m![A % 2 # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![X, A / 2], m![1], m![A % 2 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A % 2 # 4]>()
        .vector_intra_slice_reduce::<m![R], m![1], m![A % 2 # 4]>(IntraSliceReduceOpI32::AddSat) // expect error: E0433 the reduce axis is a bare axis, not a mapping
        .vector_pad_way8::<m![A % 2 # 8]>()
        .vector_final()
}
