// exp(x - max) and its sum along the row; the maximum of each row is in the register file.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, K = 64, L = 61];

fn whole_rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, K / 8], m![K % 8]>,
    largest: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, K / 4], m![K % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<K, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// exp of padding is not 0: only the valid count keeps it out.
fn ragged_rows<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, L # 64 / 8], m![L # 64 % 8]>,
    largest: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B], m![1 # 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, L # 64 / 4], m![L # 64 % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<L, m![B], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
}

// max - x by its arguments in reverse, then exp of the negative: the same.
fn reversed<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, K / 8], m![K % 8]>,
    largest: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B # 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, K / 8], m![K % 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, K / 4], m![K % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode10, VeRhs::vrf(largest))
        .vector_fp_unary_with_mode(FpUnaryOp::NegExp, UnaryArgMode::Mode0)
        .vector_concat::<m![B, K / 8], m![K % 8]>()
        .vector_final()
}
