// Every order in which an operation can take its arguments.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

fn binary<'l, const T: Tu>(
    input: CollectTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, i32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic_with_mode(LogicBinaryOpI32::BitXor, BinaryArgMode::Mode00, 1)
        .vector_fxp_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10, 7)
        .vector_fxp_with_mode(FxpBinaryOp::MulInt, BinaryArgMode::Mode01, 2)
        .vector_clip_with_mode(ClipBinaryOpI32::Max, BinaryArgMode::Mode11, 9)
        .vector_final()
}

fn ternary_mode012<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode012, (2.0f32, 3.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn ternary_mode002<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode002, (2.0f32, 3.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn ternary_mode102<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode102, (2.0f32, 3.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn ternary_mode112<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode112, (2.0f32, 3.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn ternary_mode020<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode020, (2.0f32, 3.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn ternary_mode021<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode021, (2.0f32, 3.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn ternary_mode120<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_ternary_with_mode(FpTernaryOp::FmaF, TernaryArgMode::Mode120, (2.0f32, 3.0f32))
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}

fn unary<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![1], m![A]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![A / 4], m![A % 4]>()
        .vector_fp_unary_with_mode(FpUnaryOp::Log, UnaryArgMode::Mode0)
        .vector_fp_binary_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode10, 1.0f32)
        .vector_concat::<m![1], m![A]>()
        .vector_final()
}
