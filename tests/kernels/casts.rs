//! The casts of the Fetch Engine and of the Cast Engine.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8, C = 16, D = 32, G = 64];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

#[device(chip = 1)]
fn fetch_i4_to_i32(ctx: &mut Context, x: &HbmTensor<i4, Chip, m![S, C, A]>) -> HbmTensor<i32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<i32, m![C], m![A]>().collect::<m![C], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fetch_i8_to_i32(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, C, A]>) -> HbmTensor<i32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<i32, m![C], m![A]>().collect::<m![C], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fetch_i16_to_i32(ctx: &mut Context, x: &HbmTensor<i16, Chip, m![S, C, A]>) -> HbmTensor<i32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<i32, m![C], m![A]>().collect::<m![C], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fetch_f8e4m3_to_f32(ctx: &mut Context, x: &HbmTensor<f8e4m3, Chip, m![S, C, A]>) -> HbmTensor<f32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<f32, m![C], m![A]>().collect::<m![C], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fetch_f8e5m2_to_f32(ctx: &mut Context, x: &HbmTensor<f8e5m2, Chip, m![S, C, A]>) -> HbmTensor<f32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<f32, m![C], m![A]>().collect::<m![C], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fetch_bf16_to_f32(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![S, C, A]>) -> HbmTensor<f32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<f32, m![C], m![A]>().collect::<m![C], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn fetch_f16_to_f32(ctx: &mut Context, x: &HbmTensor<f16, Chip, m![S, C, A]>) -> HbmTensor<f32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<f32, m![C], m![A]>().collect::<m![C], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The one narrowing a fetch knows.
#[device(chip = 1)]
fn fetch_f32_to_bf16(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, C, A]>) -> HbmTensor<bf16, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, Chip, Cluster, Slice, m![C, A]> =
        ctx.main.begin(x.view()).fetch::<bf16, m![C], m![A]>().collect::<m![C], m![A # 16]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_i32_to_i4(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, A]>) -> HbmTensor<i4, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i4, Chip, Cluster, Slice, m![C, A # 16]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<i4, m![A # 64]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_i32_to_i8(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, A]>) -> HbmTensor<i8, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<i8, m![A # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_i32_to_i16(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, A]>) -> HbmTensor<i16, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i16, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<i16, m![A # 16]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_i32_to_i32(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, C, A]>) -> HbmTensor<i32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<i32, m![A]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_f32_to_f8e4m3(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, C, A]>) -> HbmTensor<f8e4m3, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f8e4m3, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<f8e4m3, m![A # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_f32_to_f8e5m2(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, C, A]>) -> HbmTensor<f8e5m2, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f8e5m2, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<f8e5m2, m![A # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_f32_to_bf16(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, C, A]>) -> HbmTensor<bf16, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<bf16, m![A # 16]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_f32_to_f16(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, C, A]>) -> HbmTensor<f16, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f16, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<f16, m![A # 16]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn cast_f32_to_f32(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, C, A]>) -> HbmTensor<f32, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .cast::<f32, m![A]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Out of the Vector Engine.
#[device(chip = 1)]
fn cast_after_vector(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![S, C, A]>) -> HbmTensor<f8e4m3, Chip, m![S, C, A]> {
    let x = x.to_dm::<Cluster, Slice, m![C, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f8e4m3, Chip, Cluster, Slice, m![C, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![C], m![A]>()
        .collect::<m![C], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, 1.0f32)
        .vector_final()
        .cast::<f8e4m3, m![A # 32]>()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
