// (x - mean) / deviation * gamma + beta in one pass, every factor from the register file.
#![feature(adt_const_params)]
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 8, H = 96];

fn normalize<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, H / 8], m![H % 8]>,
    mean: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B]>,
    deviation: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B]>,
    gamma: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![H]>,
    beta: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![H]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, H / 8], m![H % 8]> {
    input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, H / 4], m![H % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, mean)
        .vector_fp_binary(FpBinaryOp::DivF, deviation)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), gamma)
        .vector_concat::<m![B, H / 8], m![H % 8]>()
        .vector_clip(ClipBinaryOpF32::Add, beta)
        .vector_final()
}

// x / sqrt(mean square): the square root of a stream that is only read as an operand is not to be had,
// so it is committed before; the scale of the row is divided behind the products.
fn root_mean_square<'l, const T: Tu>(
    input: CollectTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, H / 8], m![H % 8]>,
    root: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![B]>,
    gamma: &VrfTensor<f32, m![1], m![1 # 2], m![S], m![H]>,
) -> VectorFinalTensor<'l, T, f32, m![1], m![1 # 2], m![S], m![B, H / 8], m![H % 8]> {
    let narrowed = input
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![B, H / 4], m![H % 4]>();
    let scaled = narrowed.vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Fma), gamma);
    scaled
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), root)
        .vector_concat::<m![B, H / 8], m![H % 8]>()
        .vector_final()
}
