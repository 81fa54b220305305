//! Execution ids by axis and by valid count; the filter.
use furiosa_visa_std::prelude::*;

axes![S = 256, Q = 6, A = 8, L = 61, M = 5];

type Chip = m![1];
type Cluster = m![1 # 2];

// The rows of Q take turns.
#[device(chip = 1)]
fn toggle_time(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, Q, A]>) -> HbmTensor<i32, Chip, m![S, Q, A]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![Q, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::Q })
        .vector_fxp(FxpBinaryOp::MulInt, (-1, GroupId::One))
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The slices take turns.
#[device(chip = 1)]
fn toggle_slice(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, Q, A]>) -> HbmTensor<i32, Chip, m![S, Q, A]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![Q, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::S })
        .vector_fxp(FxpBinaryOp::AddFxp, [VeBranchOperand::group(10, GroupId::Zero), VeBranchOperand::group(20, GroupId::One)])
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Lanes take turns, after the packet was cut in two.
#[device(chip = 1)]
fn toggle_lanes(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, Q, A]>) -> HbmTensor<f32, Chip, m![S, Q, A]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![Q, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::A })
        .vector_split::<m![Q, A / 4], m![A % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), (2.0f32, GroupId::One))
        .vector_concat::<m![Q], m![A]>()
        .vector_clip(ClipBinaryOpF32::Add, (0.5f32, GroupId::Zero))
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Real elements are in group zero: all of them get 1, none gets 1000.
#[device(chip = 1)]
fn valid_count(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L # 64]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 64]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![L # 64]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![L # 64 / 8], m![L # 64 % 8]>()
        .collect::<m![L # 64 / 8], m![L # 64 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::ValidCount)
        .vector_fxp(FxpBinaryOp::AddFxp, [VeBranchOperand::group(1, GroupId::Zero), VeBranchOperand::group(1000, GroupId::One)])
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Rows with odd numbers go on.
#[device(chip = 1)]
fn filter_odd(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, Q, A]>) -> HbmTensor<i32, Chip, m![S, Q / 2, A]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![Q / 2, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::Q })
        .vector_fxp(FxpBinaryOp::AddFxp, (7, GroupId::One))
        .vector_filter::<m![Q / 2]>(ValidBranchIds::ValidGroup { id: GroupId::One })
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A filter that lets everything pass.
#[device(chip = 1)]
fn filter_nothing(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, Q, A]>) -> HbmTensor<f32, Chip, m![S, Q, A]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![Q, A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Max, 0.0f32)
        .vector_filter::<m![Q]>(ValidBranchIds::ValidAlways)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Odd sizes everywhere: 5 of 8 lanes hold something, and only those are returned.
#[device(chip = 1)]
fn padded_lanes(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, Q, M # 6]>) -> HbmTensor<f32, Chip, m![S, Q, M # 6]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, M # 6]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![Q, M # 6]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![Q], m![M # 6]>()
        .collect::<m![Q], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::M })
        .vector_clip(ClipBinaryOpF32::Add, (1.0f32, GroupId::One))
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// After a reduction an element has the id of the last one that went into it: the sum of a row is raised when the last
// of its values is negative.
#[device(chip = 1)]
fn ids_after_reduction(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, Q, A]>) -> HbmTensor<i32, Chip, m![S, Q]> {
    let x = x.to_dm::<Cluster, m![S], m![Q, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![Q, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![A]>()
        .collect::<m![Q], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::Less { boundary: 0 }),
        ]))
        .vector_split::<m![Q, A / 4], m![A % 4]>()
        .vector_intra_slice_reduce::<A, m![Q], m![1 # 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_clip(ClipBinaryOpI32::AddFxp, (1_000_000, GroupId::One))
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
