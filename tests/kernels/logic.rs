//! Every operator of the logic stage, on integers and on the bits of floats.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

#[device(chip = 1)]
fn bit_and(
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
        .vector_logic(LogicBinaryOpI32::BitAnd, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn bit_or(
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
        .vector_logic(LogicBinaryOpI32::BitOr, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn bit_xor(
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
        .vector_logic(LogicBinaryOpI32::BitXor, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn left_shift(
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
        .vector_logic(LogicBinaryOpI32::LeftShift, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn logic_right_shift(
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
        .vector_logic(LogicBinaryOpI32::LogicRightShift, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn arith_right_shift(
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
        .vector_logic(LogicBinaryOpI32::ArithRightShift, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// On the bits of the floats.
#[device(chip = 1)]
fn float_bit_and(
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
        .vector_logic(LogicBinaryOpF32::BitAnd, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// On the bits of the floats.
#[device(chip = 1)]
fn float_bit_or(
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
        .vector_logic(LogicBinaryOpF32::BitOr, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// On the bits of the floats.
#[device(chip = 1)]
fn float_bit_xor(
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
        .vector_logic(LogicBinaryOpF32::BitXor, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn shift_mode00(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic_with_mode(LogicBinaryOpI32::LogicRightShift, BinaryArgMode::Mode00, 3)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn shift_mode10(
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
        .vector_logic_with_mode(LogicBinaryOpI32::LogicRightShift, BinaryArgMode::Mode10, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn shift_mode11(
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
        .vector_logic_with_mode(LogicBinaryOpI32::LogicRightShift, BinaryArgMode::Mode11, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Each ALU of the stage once.
#[device(chip = 1)]
fn five_alus(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::BitAnd, 0x0fff_ffff)
        .vector_logic(LogicBinaryOpI32::BitXor, -1)
        .vector_logic(LogicBinaryOpI32::LeftShift, 3)
        .vector_logic(LogicBinaryOpI32::ArithRightShift, 7)
        .vector_logic(LogicBinaryOpI32::BitOr, 0x10)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// -|x|: the sign bit is flipped, then set.
#[device(chip = 1)]
fn absolute_value(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic_with_mode(LogicBinaryOpF32::BitXor, BinaryArgMode::Mode01, -0.0f32)
        .vector_logic(LogicBinaryOpF32::BitOr, -0.0f32)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
