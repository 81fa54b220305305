//! Reductions over slices: every operator, kept in one slice, copied to all, or with an axis promoted from time.
use furiosa_visa_std::prelude::*;

axes![W = 64, R = 4, X = 4, Q = 4, P = 8, L = 2, V = 256];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn add(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpI32::Add)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn add_sat(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn max(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpI32::Max)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn min(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpI32::Min)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_add(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_max(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpF32::Max)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_min(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpF32::Min)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_mul(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpF32::Mul)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// All four slices of a group hold the result.
#[device(chip = 1)]
fn add_to_all(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpI32::Add)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// All four slices of a group hold the result.
#[device(chip = 1)]
fn add_sat_to_all(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// All four slices of a group hold the result.
#[device(chip = 1)]
fn max_to_all(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpI32::Max)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// All four slices of a group hold the result.
#[device(chip = 1)]
fn min_to_all(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpI32::Min)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_add_to_all(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_max_to_all(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpF32::Max)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_min_to_all(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpF32::Min)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_mul_to_all(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpF32::Mul)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The time axis Q takes the place of R in the slices.
#[device(chip = 1)]
fn promoted(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, Q], m![P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, Q], m![1]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_promoted(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, Q], m![P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, Q], m![1]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn then_intra(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpI32::AddSat)
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 100)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn then_float(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpF32::Add)
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Q, P / 4], m![P % 4]>()
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_concat::<m![Q], m![P]>()
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn intra_first(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![W, R, Q, P]>) -> HbmTensor<i32, Chip, m![W, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![W, 1 # 4], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulFxp, 0x3000_0000)
        .vector_inter_slice_reduce::<m![W, 1 # 4], m![Q]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn squares_first(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![W, R, Q, P]>) -> HbmTensor<f32, Chip, m![W, X, Q, P]> {
    let x = x.to_dm::<Cluster, m![W, R], m![Q, P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![W, X], m![Q, P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![P]>()
        .collect::<m![Q], m![P]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Q, P / 4], m![P % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_concat::<m![Q], m![P]>()
        .vector_inter_slice_reduce::<m![W, X], m![Q]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// All 256 slices of each cluster become one value a lane.
#[device(chip = 1)]
fn whole_clusters(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![L, V, P]>) -> HbmTensor<f32, Chip, m![L, P]> {
    let x = x.to_dm::<m![L], m![V], m![P]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, m![L], m![1 # 256], m![P]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![1], m![P]>()
        .collect::<m![1], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![1 # 256], m![1]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// An outer factor of the slices is reduced, the inner one stays where it is.
#[device(chip = 1)]
fn outer_factor(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![R, W, P]>) -> HbmTensor<i32, Chip, m![W, P]> {
    let x = x.to_dm::<Cluster, m![R, W], m![P]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![1 # 4, W], m![P]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![P]>()
        .collect::<m![1], m![P]>()
        .vector_init()
        .vector_inter_slice_reduce::<m![1 # 4, W], m![1]>(InterSliceReduceOpI32::AddSat)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
