//! Every operator of the clip stage, on integers and floats.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

#[device(chip = 1)]
fn min(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::Min, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn max(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::Max, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn abs_min(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::AbsMin, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn abs_max(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::AbsMax, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn add_fxp(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::AddFxp, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn add_fxp_sat(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::AddFxpSat, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_min(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Min, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_max(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_abs_min(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::AbsMin, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_abs_max(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::AbsMax, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_add(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn abs_max_mode00(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip_with_mode(ClipBinaryOpI32::AbsMax, BinaryArgMode::Mode00, 3)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// A tie of magnitudes gives the second argument, here x.
#[device(chip = 1)]
fn abs_max_mode10(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip_with_mode(ClipBinaryOpI32::AbsMax, BinaryArgMode::Mode10, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn abs_max_mode11(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip_with_mode(ClipBinaryOpI32::AbsMax, BinaryArgMode::Mode11, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Not a number compares as false, so x is the answer wherever one is involved.
#[device(chip = 1)]
fn float_abs_min_mode10(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip_with_mode(ClipBinaryOpF32::AbsMin, BinaryArgMode::Mode10, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Each ALU of the stage once.
#[device(chip = 1)]
fn clamp(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpI32::AddFxpSat, 77)
        .vector_clip(ClipBinaryOpI32::Max, -1000)
        .vector_clip(ClipBinaryOpI32::Min, 1000)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_clamp(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Min, 6.0f32)
        .vector_clip(ClipBinaryOpF32::Max, -6.0f32)
        .vector_clip(ClipBinaryOpF32::Add, 0.5f32)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
