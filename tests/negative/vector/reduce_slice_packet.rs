// The last slice holds five of eight values, all others eight: one count cannot say both.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![R = 2045];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![R # 2048 / 8], m![1], m![R # 2048 % 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![R # 2048 / 8], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R # 2048 / 4 % 2], m![R # 2048 % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::AddSat) // expect error: E0763 R in slice and packet
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
