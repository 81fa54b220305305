// The inter-slice block takes eight lanes.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![Q = 64, R = 4, A = 8];

fn narrow_sum<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![Q, R], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![Q, 1 # 4], m![A / 4], m![A % 4]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_inter_slice_reduce::<m![Q, 1 # 4], m![A / 4]>(InterSliceReduceOpF32::Add) // expect error: E0711 inter-slice reduce needs eight lanes
        .vector_final()
}
