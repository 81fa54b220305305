//! Reductions inside a slice: every operator, over lanes, over time, over both, with padding and with slots.
use furiosa_visa_std::prelude::*;

axes![S = 256, R = 24, A = 4, B = 2, L = 21, M = 4, X = 32, V = 5, Y = 64];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn add_sat(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, R]>) -> HbmTensor<i32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![R]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn add_sat_time(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, R, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![R], m![A]>()
        .collect::<m![R], m![A # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn add_sat_padded(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L # 24]>) -> HbmTensor<i32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 24]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![L # 24 / 8], m![L # 24 % 8]>()
        .collect::<m![L # 24 / 8], m![L # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 24 / 4], m![L # 24 % 4]>()
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn max(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, R]>) -> HbmTensor<i32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![R]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn max_time(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, R, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![R], m![A]>()
        .collect::<m![R], m![A # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpI32::Max)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn max_padded(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L # 24]>) -> HbmTensor<i32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 24]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![L # 24 / 8], m![L # 24 % 8]>()
        .collect::<m![L # 24 / 8], m![L # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 24 / 4], m![L # 24 % 4]>()
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn min(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, R]>) -> HbmTensor<i32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![R]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Min)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn min_time(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, R, A]>) -> HbmTensor<i32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![R], m![A]>()
        .collect::<m![R], m![A # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpI32::Min)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn min_padded(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L # 24]>) -> HbmTensor<i32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 24]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![L # 24 / 8], m![L # 24 % 8]>()
        .collect::<m![L # 24 / 8], m![L # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 24 / 4], m![L # 24 % 4]>()
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpI32::Min)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_add(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![R]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_add_time(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R, A]>) -> HbmTensor<f32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R], m![A]>()
        .collect::<m![R], m![A # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_add_padded(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, L # 24]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 24]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![L # 24 / 8], m![L # 24 % 8]>()
        .collect::<m![L # 24 / 8], m![L # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 24 / 4], m![L # 24 % 4]>()
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_max(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![R]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_max_time(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R, A]>) -> HbmTensor<f32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R], m![A]>()
        .collect::<m![R], m![A # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_max_padded(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, L # 24]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 24]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![L # 24 / 8], m![L # 24 % 8]>()
        .collect::<m![L # 24 / 8], m![L # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 24 / 4], m![L # 24 % 4]>()
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_min(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![R]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Min)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_min_time(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R, A]>) -> HbmTensor<f32, Chip, m![S, A]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R], m![A]>()
        .collect::<m![R], m![A # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![A]>()
        .vector_intra_slice_reduce::<R, m![1], m![A]>(IntraSliceReduceOpF32::Min)
        .vector_pad_way8::<m![A # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn float_min_padded(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, L # 24]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 24]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![L # 24 / 8], m![L # 24 % 8]>()
        .collect::<m![L # 24 / 8], m![L # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 24 / 4], m![L # 24 % 4]>()
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Min)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Each packet is a tree of its own: (a + b) + (c + d).
#[device(chip = 1)]
fn lanes_only(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R, M]>) -> HbmTensor<f32, Chip, m![S, R]> {
    let x = x.to_dm::<Cluster, m![S], m![R, M]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![R, 1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R], m![M]>()
        .collect::<m![R], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![M]>()
        .vector_intra_slice_reduce::<M, m![R], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Eight accumulators at work, one for each of A and B.
#[device(chip = 1)]
fn slots(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, R, A, B, M]>) -> HbmTensor<i32, Chip, m![S, A, B, M]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A, B, M]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![A, B, M]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![R, A, B], m![M]>()
        .collect::<m![R, A, B], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![M]>()
        .vector_intra_slice_reduce::<R, m![A, B], m![M]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![M # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The reduced axis in two parts, another axis between them.
#[device(chip = 1)]
fn between(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R, A, M]>) -> HbmTensor<f32, Chip, m![S, A, M]> {
    let x = x.to_dm::<Cluster, m![S], m![R, A, M]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![A, M]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 4, A, R % 4], m![M]>()
        .collect::<m![R / 4, A, R % 4], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![M]>()
        .vector_intra_slice_reduce::<R, m![A], m![M]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![M # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// One accumulator is enough: the reduced axis is the inner one.
#[device(chip = 1)]
fn inner_time(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, A, R, M]>) -> HbmTensor<i32, Chip, m![S, A, M]> {
    let x = x.to_dm::<Cluster, m![S], m![A, R, M]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![S], m![A, M]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![A, R], m![M]>()
        .collect::<m![A, R], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![M]>()
        .vector_intra_slice_reduce::<R, m![A], m![M]>(IntraSliceReduceOpI32::Max)
        .vector_pad_way8::<m![M # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn sum_of_squares_mean(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, R]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![R]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![R / 8], m![R % 8]>()
        .collect::<m![R / 8], m![R % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![R / 4], m![R % 4]>()
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_intra_slice_reduce::<R, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode01), 24.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A sum of exponentials; padding takes no part in it.
#[device(chip = 1)]
fn log_sum_exp(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, L # 24]>) -> HbmTensor<f32, Chip, m![S]> {
    let x = x.to_dm::<Cluster, m![S], m![L # 24]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![S], m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![L # 24 / 8], m![L # 24 % 8]>()
        .collect::<m![L # 24 / 8], m![L # 24 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![L # 24 / 4], m![L # 24 % 4]>()
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_intra_slice_reduce::<L, m![1], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Part of the padded axis lies in the slices: the eighth slice of each group has nothing to add, and no result.
#[device(chip = 1)]
fn slices_and_time(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![X, L # 24, M]>,
) -> HbmTensor<i32, Chip, m![X, L # 24 / 3, M]> {
    let x = x.to_dm::<Cluster, m![X, L # 24 / 3], m![L # 24 % 3, M]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, m![X, L # 24 / 3], m![M]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![L # 24 % 3], m![M]>()
        .collect::<m![L # 24 % 3], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![M]>()
        .vector_intra_slice_reduce::<L, m![1], m![M]>(IntraSliceReduceOpI32::AddSat)
        .vector_pad_way8::<m![M # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The inner part lies in the slices: the first of four adds two values, the others one.
#[device(chip = 1)]
fn transposed(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![Y, V # 8, M]>) -> HbmTensor<f32, Chip, m![Y, V # 8 % 4, M]> {
    let x = x.to_dm::<Cluster, m![Y, V # 8 % 4], m![V # 8 / 4, M]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![Y, V # 8 % 4], m![M]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![V # 8 / 4], m![M]>()
        .collect::<m![V # 8 / 4], m![M # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![M]>()
        .vector_intra_slice_reduce::<V, m![1], m![M]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![M # 8]>()
        .vector_final()
        .commit(0x4000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
