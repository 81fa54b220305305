// A row that is spread over slices, time and packets: summed up within each slice, then over the slices.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![W = 64, B = 2, K = 512, L = 13, A = 4, P = 8];

fn whole<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![W, K / 128], m![B, K / 8 % 16], m![K % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![W, 1 # 4], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, K / 4 % 32], m![K % 4]>()
        .vector_intra_slice_reduce::<K, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![B]>(InterSliceReduceOpF32::Add)
        .vector_final()
}

// The last slices are padding; behind the first reduction they hold nothing that counts.
fn ragged<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![W, L # 16 / 4], m![L # 16 % 4], m![A # 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![W, 1 # 4], m![1], m![A # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 1)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<L, m![1], m![A]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![A # 8]>()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![1]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
}

// An axis that stays may be padded as it likes, and time may give an axis to the freed slices.
fn promoted<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![L # 16, K / 32], m![B, A, K / 8 % 4], m![K % 8]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![L # 16, A, 1 # 4], m![B, K / 8 % 4], m![K % 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_inter_slice_reduce::<m![L # 16, A, 1 # 4], m![B, K / 8 % 4]>(InterSliceReduceOpI32::Add)
        .vector_final()
}
