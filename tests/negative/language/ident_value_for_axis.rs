// Ident::R is a value; the reduce axis is a type argument.
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
        .vector_intra_slice_reduce::<m![1], m![A % 2 # 4]>(Ident::R, IntraSliceReduceOpI32::AddSat) // expect error: E0435 the reduce axis is a type argument // expect error: E0432
        .vector_pad_way8::<m![A % 2 # 8]>()
        .vector_final()
}
