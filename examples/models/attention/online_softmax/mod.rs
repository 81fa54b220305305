//! What `prefill` and `decode` have in common: what is known of each row of scores, and how it goes on when more keys
//! come. Rows are those of `Block`, keys those of `StepKeys`; both, and where all that lies, are the kernel's.

use super::*;

pub type Scores = DmTensor<f32, Chip, Cluster, Slice, m![{ Block }, { StepKeys }]>;
pub type Weights = DmTensor<bf16, Chip, Cluster, Slice, m![{ Block }, { StepKeys }]>;
pub type Sums = DmTensor<f32, Chip, Cluster, Slice, m![{ Block }, D]>;
pub type OnePerRow = DmTensor<f32, Chip, Cluster, Slice, m![{ Block }, 1 # 2]>;
pub type RowOperand = VrfTensor<f32, Chip, Cluster, Slice, m![{ Block }, 1 # 8]>;

// What is known of each row so far.
pub struct Rows {
    pub largest: OnePerRow, // score
    pub largest_vrf: RowOperand,
    pub weight: OnePerRow, // of all keys
    pub sums: Sums,        // of weighted values
}

pub const OUTPUT_BYTES: u64 = (<Block>::SIZE * D::SIZE * 2) as u64; // of rows in bf16; sums have twice as many
pub const ROW_BYTES: u64 = (<Block>::SIZE * 8) as u64; // of a number for each row
const VRF_BYTES: u64 = (<Block>::SIZE * 32) as u64;
pub const M_VRF: u64 = 0; // two, in turns
const ALPHA_VRF: u64 = M_VRF + 2 * VRF_BYTES;
pub const L_VRF: u64 = ALPHA_VRF + VRF_BYTES;
pub const VRF_END: u64 = L_VRF + VRF_BYTES;

pub fn scale() -> f32 {
    1.0 / (D::SIZE as f32).sqrt()
}

// The largest score of each row so far.
pub fn largest(ctx: &mut Context, scores: &Scores, before: Option<&Rows>, step: usize) -> RowOperand {
    let of_step = ctx
        .main
        .begin(scores.view())
        .fetch::<f32, m![{ Block }, { StepKeys } / 8], m![{ StepKeys } % 8]>()
        .collect::<m![{ Block }, { StepKeys } / 8], m![{ StepKeys } % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ Block }, { StepKeys } / 4], m![{ StepKeys } % 4]>()
        .vector_intra_slice_reduce::<Key, Block, m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>();
    let address = M_VRF + (step % 2) as u64 * VRF_BYTES;
    match before {
        Some(before) => of_step.vector_clip(ClipBinaryOpF32::Max, &before.largest_vrf).vector_final().to_vrf(address),
        None => of_step.vector_final().to_vrf(address),
    }
}

// exp(scale * (score - largest)).
pub fn weigh(ctx: &mut Context, scores: &Scores, largest: &RowOperand, address: u64) -> Weights {
    ctx.main
        .begin(scores.view())
        .fetch::<f32, m![{ Block }, { StepKeys } / 8], m![{ StepKeys } % 8]>()
        .collect::<m![{ Block }, { StepKeys } / 8], m![{ StepKeys } % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ Block }, { StepKeys } / 4], m![{ StepKeys } % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, largest)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), scale())
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_concat::<m![{ Block }, { StepKeys } / 8], m![{ StepKeys } % 8]>()
        .vector_final()
        .cast::<bf16, m![{ StepKeys } % 8 # 16]>()
        .commit(address)
}

// By what the rows of former steps shrink: exp(scale * (largest before - largest now)).
pub fn shrink(ctx: &mut Context, before: &OnePerRow, largest: &RowOperand) -> RowOperand {
    ctx.main
        .begin(before.view())
        .fetch::<f32, Block, m![1 # 2]>()
        .collect::<Block, m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, largest)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), scale())
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(ALPHA_VRF)
}

// A number for each row times an operand, to VRF.
pub fn times(ctx: &mut Context, rows: &OnePerRow, by: &RowOperand) -> RowOperand {
    ctx.main
        .begin(rows.view())
        .fetch::<f32, Block, m![1 # 2]>()
        .collect::<Block, m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), by)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(L_VRF)
}

// What VRF holds of each row, to DM: the stream it rides on is multiplied by 0.
pub fn keep(ctx: &mut Context, operand: &RowOperand, on: &OnePerRow, address: u64) -> OnePerRow {
    ctx.main
        .begin(on.view())
        .fetch::<f32, Block, m![1 # 2]>()
        .collect::<Block, m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.0f32)
        .vector_fp_binary(FpBinaryOp::AddF, operand)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(address)
}

// before * alpha + now
pub fn merge(ctx: &mut Context, before: &Sums, now: &Sums, alpha: &RowOperand, address: u64) -> Sums {
    ctx.main
        .begin_interleaved::<Two, _, _, _, _, _>(before.view(), now.view())
        .fetch::<f32, m![{ Block }, D / 8, Two], m![D % 8]>()
        .collect::<m![{ Block }, D / 8, Two], m![D % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Two, m![{ Block }, D / 8, 1 # 2], m![{ Block }, D / 8]>()
        .vector_split::<m![{ Block }, D / 4], m![D % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), alpha, 1.0f32)
        .vector_fp_zip(FpBinaryOp::AddF)
        .vector_concat::<m![{ Block }, D / 8], m![D % 8]>()
        .vector_final()
        .commit(address)
}
