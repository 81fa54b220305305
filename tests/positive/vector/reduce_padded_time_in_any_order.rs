// Parts of R in time may stand in any order, with other axes between them.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 45, X = 2];

fn reduce<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![R # 48 / 8 % 2, X, R # 48 / 8 / 2], m![R # 48 % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![X], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R # 48 / 8 % 2, X, R # 48 / 8 / 2, R # 48 / 4 % 2], m![R # 48 % 4]>()
        .vector_intra_slice_reduce::<R, m![X], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}
