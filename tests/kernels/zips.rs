//! Two interleaved tensors, merged by a zip of each kind and in each mode.
use furiosa_visa_std::prelude::*;

axes![N = 8192, I = 2];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

#[device(chip = 1)]
fn fxp_zip01(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_fxp_zip(FxpBinaryOp::SubFxp)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn logic_zip01(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_logic_zip(LogicBinaryOpI32::LeftShift)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn clip_zip01(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_clip_zip(ClipBinaryOpI32::AbsMin)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn fp_zip01(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_zip(FpBinaryOp::SubF)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn fxp_zip00(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_fxp_zip_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode00)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn logic_zip00(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_logic_zip_with_mode(LogicBinaryOpI32::LeftShift, BinaryArgMode::Mode00)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn clip_zip00(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_clip_zip_with_mode(ClipBinaryOpI32::AbsMin, BinaryArgMode::Mode00)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn fp_zip00(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_zip_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode00)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn fxp_zip10(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_fxp_zip_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn logic_zip10(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_logic_zip_with_mode(LogicBinaryOpI32::LeftShift, BinaryArgMode::Mode10)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn clip_zip10(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_clip_zip_with_mode(ClipBinaryOpI32::AbsMin, BinaryArgMode::Mode10)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn fp_zip10(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_zip_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode10)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn fxp_zip11(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_fxp_zip_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode11)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn logic_zip11(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_logic_zip_with_mode(LogicBinaryOpI32::LeftShift, BinaryArgMode::Mode11)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn clip_zip11(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_clip_zip_with_mode(ClipBinaryOpI32::AbsMin, BinaryArgMode::Mode11)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}

#[device(chip = 1)]
fn fp_zip11(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![{ Time }, I], Lanes>()
        .collect::<m![{ Time }, I], Lanes>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![{ Time }, 1 # 2], Time>()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_zip_with_mode(FpBinaryOp::SubF, BinaryArgMode::Mode11)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 4 << 28)
}
