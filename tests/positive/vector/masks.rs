// Masks: by bits from the register file, by the valid count, and by comparison.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 8, K = 64, L = 61, M = 3];

// Scores of later positions: and with 0, or with all bits.
fn by_bits<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q, K / 8], m![K % 8]>,
    mask: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![Q, K]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q, K / 8], m![K % 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpF32::BitAnd, mask)
        .vector_split::<m![Q, K / 4], m![K % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.125f32)
        .vector_concat::<m![Q, K / 8], m![K % 8]>()
        .vector_final()
}

// The mask of one query, transposed: its axes are in another order, and K lies in the packet.
fn of_another_order<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![K / 8, Q], m![K % 8]>,
    mask: &VrfTensor<i32, m![1], m![1 # 2], m![S], m![Q, K]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![K / 8, Q], m![K % 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::BitAnd, mask)
        .vector_logic(LogicBinaryOpI32::BitXor, mask)
        .vector_fxp(FxpBinaryOp::LogicRightShift, 1)
        .vector_final()
}

// Data in one group, padding in the other.
fn by_count<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q, L # 64 / 8], m![L # 64 % 8]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q, L # 64 / 8], m![L # 64 % 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount)
        .vector_clip(ClipBinaryOpF32::Min, (f32::NEG_INFINITY, GroupId::One))
        .vector_final()
}

// A threshold from the register file, for values beyond a bound only; not a number compares as false.
fn by_value<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q], m![M # 8]>,
    limit: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![Q # 16]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![Q], m![M # 8]> {
    let far = BranchMode::Comparison([
        InputCmp::F32(InputCmpF32::False),
        InputCmp::F32(InputCmpF32::False),
        InputCmp::F32(InputCmpF32::Less { boundary: -1e6 }),
        InputCmp::F32(InputCmpF32::GreaterUnsigned { boundary: 1e6 }),
    ]);
    input
        .vector_init()
        .vector_intra_slice_branch(far)
        .vector_clip(ClipBinaryOpF32::AbsMin, (VeRhs::vrf(limit), GroupId::One))
        .vector_final()
}
