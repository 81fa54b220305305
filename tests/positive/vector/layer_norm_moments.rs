// Mean and mean square of a row, one pass each: the sums are divided behind the reduction.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 8, H = 96];

fn mean<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, H / 8], m![H % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, H / 4], m![H % 4]>()
        .vector_intra_slice_reduce::<H, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div_with_mode(FpDivBinaryOp::DivF, BinaryArgMode::Mode01, 96.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// x * x reads the stream twice; the operand is there for form only.
fn mean_square<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, H / 8], m![H % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, H / 4], m![H % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 0.0f32)
        .vector_intra_slice_reduce::<H, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 96.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_clip(ClipBinaryOpF32::Add, 1e-5f32)
        .vector_final()
}

// Two results of neighbouring rows side by side in a packet.
fn joined<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, H / 8], m![H % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B / 2], m![B % 2, 1 # 4]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, H / 4], m![H % 4]>()
        .vector_intra_slice_reduce::<H, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![B / 2], m![B % 2, 1 # 4]>()
        .vector_final()
}
