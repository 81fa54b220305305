//! Where operands come from: constants, registers, the stash; and whom they apply to.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

// The stash is read twice: max(sat(3x - x), x).
#[device(chip = 1)]
fn stash_fxp(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_fxp(FxpBinaryOp::SubFxpSat, Stash)
        .vector_clip(ClipBinaryOpI32::Max, Stash)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// The stash is taken in the middle of the stage.
#[device(chip = 1)]
fn stash_after_fxp(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 12345)
        .vector_stash()
        .vector_fxp(FxpBinaryOp::ArithRightShift, 4)
        .vector_clip_with_mode(ClipBinaryOpI32::AddFxpSat, BinaryArgMode::Mode10, Stash)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// An f32 stash of a stream that entered as i32, taken once it has four lanes.
#[device(chip = 1)]
fn stash_converted(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_to_fp(31)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_stash()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 3f32)
        .vector_fp_binary(FpBinaryOp::AddF, Stash)
        .vector_concat::<Time, Lanes>()
        .vector_clip(ClipBinaryOpF32::Min, Stash)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Taken with eight lanes, read with four and with eight.
#[device(chip = 1)]
fn stash_over_narrow(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), -1.5f32)
        .vector_fp_binary(FpBinaryOp::AddF, Stash)
        .vector_concat::<Time, Lanes>()
        .vector_clip(ClipBinaryOpF32::AbsMax, Stash)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// exp(sqrt(x)) / sqrt(x)
#[device(chip = 1)]
fn stash_in_float(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), Stash)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// 0.3x * x + 0.25
#[device(chip = 1)]
fn stash_ternary(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash()
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.3f32)
        .vector_fp_ternary(FpTernaryOp::FmaF, (Stash, 0.25f32))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// (x - y) * z, two tensors in the register file
#[device(chip = 1)]
fn two_operands(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![N]>,
    y: &HbmTensor<f32, Chip, m![N]>,
    z: &HbmTensor<f32, Chip, m![N]>,
) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let z = z.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x2000);
    let y: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let z: VrfTensor<f32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(z.view()).fetch::<f32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0x100);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &y)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &z)
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn one_operand_twice(
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
        .vector_fxp(FxpBinaryOp::MulInt, &y)
        .vector_clip(ClipBinaryOpI32::AddFxp, &y)
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// x + y in even places; max(x - 7, z) in odd ones.
#[device(chip = 1)]
fn both_groups(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![N]>,
    y: &HbmTensor<i32, Chip, m![N]>,
    z: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let z = z.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x2000);
    let y: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(y.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0);
    let z: VrfTensor<i32, Chip, Cluster, Slice, Element> =
        ctx.sub.begin(z.view()).fetch::<i32, Time, Lanes>().collect::<Time, Lanes>().to_vrf(0x100);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::N })
        .vector_fxp(
            FxpBinaryOp::AddFxp,
            [
                VeBranchOperand::group(VeRhs::vrf(&y), GroupId::Zero),
                VeBranchOperand::group(VeRhs::constant(-7), GroupId::One),
            ],
        )
        .vector_clip(ClipBinaryOpI32::Max, (VeRhs::vrf(&z), GroupId::One))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Operands apply one after the other: odd places lose y and 3.
#[device(chip = 1)]
fn group_and_always(
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
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::N })
        .vector_fxp(
            FxpBinaryOp::SubFxp,
            [VeBranchOperand::group(VeRhs::vrf(&y), GroupId::One), VeBranchOperand::always(VeRhs::constant(3))],
        )
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn stash_in_group(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::Less { boundary: 0 }),
        ]))
        .vector_stash()
        .vector_fxp(FxpBinaryOp::ArithRightShift, 2)
        .vector_clip(
            ClipBinaryOpI32::AddFxp,
            [VeBranchOperand::stash_group(GroupId::One), VeBranchOperand::group(VeRhs::constant(1), GroupId::Zero)],
        )
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Large values: x * y + 2; the others, and what is not a number: x * -3 + 0.5.
#[device(chip = 1)]
fn ternary_groups(
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
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::Greater { boundary: 0.5 }),
        ]))
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_ternary(
            FpTernaryOp::FmaF,
            [
                TernaryOperand::group(VeRhs::vrf(&y), 2.0f32, GroupId::One),
                TernaryOperand::group(VeRhs::constant(-3.0f32), 0.5f32, GroupId::Zero),
            ],
        )
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// A unary operator works on all elements; the binary one on a group only. The group is that of x, not of its root.
#[device(chip = 1)]
fn unary_ignores_groups(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::Less { boundary: 0.25 }),
        ]))
        .vector_split::<m![N / 4 % 8], m![N % 4]>()
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_fp_binary(FpBinaryOp::AddF, (10.0f32, GroupId::One))
        .vector_concat::<Time, Lanes>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
