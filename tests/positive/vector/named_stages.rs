// Functions that stop inside the Vector Engine name the stage in their types.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, R = 16, D = 2];

fn enter<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![D # 8]>,
) -> VectorBranchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![D # 8], i32, NoTensor, { stage::VeOrder::IntraFirst }>
{
    input.vector_init().vector_intra_slice_branch(BranchMode::Unconditional)
}

fn narrow<'l, const T: Tu>(
    input: VectorBranchTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![D # 8], i32, NoTensor, { stage::VeOrder::IntraFirst }>,
) -> VectorNarrowTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![D # 4], i32, NoTensor, { stage::VeOrder::IntraFirst }>
{
    input.vector_trim_way4()
}

fn largest<'l, const T: Tu>(
    input: VectorNarrowTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![D # 4], i32, NoTensor, { stage::VeOrder::IntraFirst }>,
) -> VectorIntraSliceReduceTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![D # 4], i32, NoTensor, { stage::VeOrder::IntraFirst }>
{
    input.vector_intra_slice_reduce::<R, m![1], m![D # 4]>(IntraSliceReduceOpI32::Max)
}

fn leave<'l, const T: Tu>(
    input: VectorIntraSliceReduceTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![D # 4], i32, NoTensor, { stage::VeOrder::IntraFirst }>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![D # 8]> {
    input.vector_pad_way8::<m![D # 8]>().vector_final()
}

fn whole<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![R], m![D # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![D # 8]> {
    leave(largest(narrow(enter(input))))
}
