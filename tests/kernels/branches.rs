//! Execution ids by comparison of values, with every comparison.
use furiosa_visa_std::prelude::*;

axes![N = 8192];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32]; // four flits of eight
type Time = m![N / 8 % 4];
type Lanes = m![N % 8];

#[device(chip = 1)]
fn by_equal(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::Equal { boundary: 3 }),
        ]))
        .vector_fxp(FxpBinaryOp::AddFxp, (1_000_000, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn by_less(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::Less { boundary: -5 }),
        ]))
        .vector_fxp(FxpBinaryOp::AddFxp, (1_000_000, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn by_greater(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::Greater { boundary: 100 }),
        ]))
        .vector_fxp(FxpBinaryOp::AddFxp, (1_000_000, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn by_less_unsigned(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::LessUnsigned { boundary: 1000 }),
        ]))
        .vector_fxp(FxpBinaryOp::AddFxp, (1_000_000, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn by_greater_unsigned(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::GreaterUnsigned { boundary: -100 }),
        ]))
        .vector_fxp(FxpBinaryOp::AddFxp, (1_000_000, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn by_always(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::True),
        ]))
        .vector_fxp(FxpBinaryOp::AddFxp, (1_000_000, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn by_never(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::True),
            InputCmp::I32(InputCmpI32::False),
        ]))
        .vector_fxp(FxpBinaryOp::AddFxp, (1_000_000, GroupId::One))
        .vector_clip(ClipBinaryOpI32::AddFxp, (-1, GroupId::Zero))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Minus zero equals zero.
#[device(chip = 1)]
fn float_by_equal(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::Equal { boundary: 0.0 }),
        ]))
        .vector_logic(LogicBinaryOpF32::BitXor, (-0.0f32, GroupId::One))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_by_less(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::Less { boundary: 1.5 }),
        ]))
        .vector_logic(LogicBinaryOpF32::BitXor, (-0.0f32, GroupId::One))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_by_greater(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::Greater { boundary: -2.0 }),
        ]))
        .vector_logic(LogicBinaryOpF32::BitXor, (-0.0f32, GroupId::One))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// The bit patterns are compared: negative numbers are above all others.
#[device(chip = 1)]
fn float_by_less_unsigned(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::LessUnsigned { boundary: 1.0 }),
        ]))
        .vector_logic(LogicBinaryOpF32::BitXor, (-0.0f32, GroupId::One))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

#[device(chip = 1)]
fn float_by_greater_unsigned(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::True),
            InputCmp::F32(InputCmpF32::False),
            InputCmp::F32(InputCmpF32::GreaterUnsigned { boundary: 1.0 }),
        ]))
        .vector_logic(LogicBinaryOpF32::BitXor, (-0.0f32, GroupId::One))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}

// Unconditional: all elements are in group zero.
#[device(chip = 1)]
fn unconditional(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![N]>) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, Time, Lanes>()
        .collect::<Time, Lanes>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::Zero))
        .vector_clip(ClipBinaryOpI32::AddFxp, (100, GroupId::One))
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 3 << 28)
}
