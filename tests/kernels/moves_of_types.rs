//! Every scalar type on its way through memory and pipeline, bit by bit.
use furiosa_visa_std::prelude::*;

axes![S = 256, B = 4, A = 8, C = 16, D = 32, G = 64];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

#[device(chip = 1)]
fn move_i4(ctx: &mut Context, x: &HbmTensor<i4, Chip, m![S, B, G]>) -> HbmTensor<i4, Chip, m![B, S, G]> {
    let x = x.to_dm::<Cluster, Slice, m![B, G]>(&mut ctx.tdma, 0);
    let out: DmTensor<i4, Chip, Cluster, Slice, m![B, G]> =
        ctx.main.begin(x.view()).fetch::<i4, m![B], m![G]>().collect::<m![B], m![G]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_i8(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, B, D]>) -> HbmTensor<i8, Chip, m![B, S, D]> {
    let x = x.to_dm::<Cluster, Slice, m![B, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![B, D]> =
        ctx.main.begin(x.view()).fetch::<i8, m![B], m![D]>().collect::<m![B], m![D]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_u8(ctx: &mut Context, x: &HbmTensor<u8, Chip, m![S, B, D]>) -> HbmTensor<u8, Chip, m![B, S, D]> {
    let x = x.to_dm::<Cluster, Slice, m![B, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<u8, Chip, Cluster, Slice, m![B, D]> =
        ctx.main.begin(x.view()).fetch::<u8, m![B], m![D]>().collect::<m![B], m![D]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_f8e4m3(ctx: &mut Context, x: &HbmTensor<f8e4m3, Chip, m![S, B, D]>) -> HbmTensor<f8e4m3, Chip, m![B, S, D]> {
    let x = x.to_dm::<Cluster, Slice, m![B, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<f8e4m3, Chip, Cluster, Slice, m![B, D]> =
        ctx.main.begin(x.view()).fetch::<f8e4m3, m![B], m![D]>().collect::<m![B], m![D]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_f8e5m2(ctx: &mut Context, x: &HbmTensor<f8e5m2, Chip, m![S, B, D]>) -> HbmTensor<f8e5m2, Chip, m![B, S, D]> {
    let x = x.to_dm::<Cluster, Slice, m![B, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<f8e5m2, Chip, Cluster, Slice, m![B, D]> =
        ctx.main.begin(x.view()).fetch::<f8e5m2, m![B], m![D]>().collect::<m![B], m![D]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_f8(ctx: &mut Context, x: &HbmTensor<f8, Chip, m![S, B, D]>) -> HbmTensor<f8, Chip, m![B, S, D]> {
    let x = x.to_dm::<Cluster, Slice, m![B, D]>(&mut ctx.tdma, 0);
    let out: DmTensor<f8, Chip, Cluster, Slice, m![B, D]> =
        ctx.main.begin(x.view()).fetch::<f8, m![B], m![D]>().collect::<m![B], m![D]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_i16(ctx: &mut Context, x: &HbmTensor<i16, Chip, m![S, B, C]>) -> HbmTensor<i16, Chip, m![B, S, C]> {
    let x = x.to_dm::<Cluster, Slice, m![B, C]>(&mut ctx.tdma, 0);
    let out: DmTensor<i16, Chip, Cluster, Slice, m![B, C]> =
        ctx.main.begin(x.view()).fetch::<i16, m![B], m![C]>().collect::<m![B], m![C]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_bf16(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![S, B, C]>) -> HbmTensor<bf16, Chip, m![B, S, C]> {
    let x = x.to_dm::<Cluster, Slice, m![B, C]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, Chip, Cluster, Slice, m![B, C]> =
        ctx.main.begin(x.view()).fetch::<bf16, m![B], m![C]>().collect::<m![B], m![C]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_f16(ctx: &mut Context, x: &HbmTensor<f16, Chip, m![S, B, C]>) -> HbmTensor<f16, Chip, m![B, S, C]> {
    let x = x.to_dm::<Cluster, Slice, m![B, C]>(&mut ctx.tdma, 0);
    let out: DmTensor<f16, Chip, Cluster, Slice, m![B, C]> =
        ctx.main.begin(x.view()).fetch::<f16, m![B], m![C]>().collect::<m![B], m![C]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_i32(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, B, A]>) -> HbmTensor<i32, Chip, m![B, S, A]> {
    let x = x.to_dm::<Cluster, Slice, m![B, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![B, A]> =
        ctx.main.begin(x.view()).fetch::<i32, m![B], m![A]>().collect::<m![B], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn move_f32(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, B, A]>) -> HbmTensor<f32, Chip, m![B, S, A]> {
    let x = x.to_dm::<Cluster, Slice, m![B, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![B, A]> =
        ctx.main.begin(x.view()).fetch::<f32, m![B], m![A]>().collect::<m![B], m![A]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
