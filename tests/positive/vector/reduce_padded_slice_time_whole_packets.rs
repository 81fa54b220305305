// R over slices, time and packet is fine when its packets are all full or all empty.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![X = 64, R = 12];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 32 / 8], m![R # 32 / 4 % 2], m![R # 32 % 4 # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![X, R # 32 / 8], m![1], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![R # 32 % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
