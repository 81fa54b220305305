//! Every operator of the fixed-point stage, its argument modes, and all its ALUs in one pass.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

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
        .vector_fxp(FxpBinaryOp::AddFxp, &y)
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
        .vector_fxp(FxpBinaryOp::AddFxpSat, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn sub_fxp(
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
        .vector_fxp(FxpBinaryOp::SubFxp, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn sub_fxp_sat(
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
        .vector_fxp(FxpBinaryOp::SubFxpSat, &y)
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
        .vector_fxp(FxpBinaryOp::LeftShift, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn left_shift_sat(
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
        .vector_fxp(FxpBinaryOp::LeftShiftSat, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn mul_fxp(
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
        .vector_fxp(FxpBinaryOp::MulFxp, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn mul_int(
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
        .vector_fxp(FxpBinaryOp::MulInt, &y)
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
        .vector_fxp(FxpBinaryOp::LogicRightShift, &y)
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
        .vector_fxp(FxpBinaryOp::ArithRightShift, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn arith_right_shift_round(
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
        .vector_fxp(FxpBinaryOp::ArithRightShiftRound, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// x - x
#[device(chip = 1)]
fn sub_mode00(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_with_mode(FxpBinaryOp::SubFxpSat, BinaryArgMode::Mode00, 7)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// x - y, by VeRhs
#[device(chip = 1)]
fn sub_mode01(
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
        .vector_fxp_with_mode(FxpBinaryOp::SubFxpSat, BinaryArgMode::Mode01, VeRhs::vrf(&y))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// y - x
#[device(chip = 1)]
fn sub_mode10(
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
        .vector_fxp_with_mode(FxpBinaryOp::SubFxpSat, BinaryArgMode::Mode10, VeRhs::vrf(&y))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// y - y
#[device(chip = 1)]
fn sub_mode11(
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
        .vector_fxp_with_mode(FxpBinaryOp::SubFxpSat, BinaryArgMode::Mode11, VeRhs::vrf(&y))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Each ALU of the stage once, with constants.
#[device(chip = 1)]
fn four_alus(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxpSat, 1 << 20)
        .vector_fxp(FxpBinaryOp::MulFxp, 0x4000_0001)
        .vector_fxp(FxpBinaryOp::LeftShiftSat, 3)
        .vector_fxp(FxpBinaryOp::ArithRightShift, 5)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// 1 << x: the shift amounts are the data, and only their low five bits count.
#[device(chip = 1)]
fn shift_of_constant(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_with_mode(FxpBinaryOp::LeftShift, BinaryArgMode::Mode10, 1)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
