//! Fixed point to float and back, with several widths of the integer part.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

#[device(chip = 1)]
fn to_float_0(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(0)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_float_1(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(1)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_float_8(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(8)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_float_16(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(16)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_float_24(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(24)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_float_31(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(31)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_fixed_0(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(0)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_fixed_7(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(7)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_fixed_16(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(16)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn to_fixed_31(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(31)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Fixed point with 11 fraction bits in, 19 out.
#[device(chip = 1)]
fn there_and_back(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 5)
        .vector_fxp_to_fp(20)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.1f32)
        .vector_concat::<Time, Lanes>()
        .vector_fp_to_fxp(12)
        .vector_clip(ClipBinaryOpI32::Max, -300_000_000)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
