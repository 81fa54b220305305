//! Ways to read: in another order, a part, the same thing again, padded, two tensors in turn, with zero points.
use furiosa_visa_std::prelude::*;

axes![S = 256, N = 4, C = 3, H = 4, W = 8, P = 63, Q = 5, R = 7, I = 2, X = 4, T = 5];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

// Axes of memory in another order.
#[device(chip = 1)]
fn permuted(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, N, C, H, W]>) -> HbmTensor<i8, Chip, m![S, C, N, H, W]> {
    let x = x.to_dm::<Cluster, Slice, m![N, C, H, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![C, N, H, W]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![C], m![N, H, W]>() // packets of 128 bytes out of pieces of 32
        .collect::<m![C, N], m![H, W]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Single bytes, one after the other out of eight places.
#[device(chip = 1)]
fn single_bytes(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, N, H, W]>) -> HbmTensor<i8, Chip, m![S, N, W, H]> {
    let x = x.to_dm::<Cluster, Slice, m![N, H, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![N, W, H]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![N], m![W, H]>()
        .collect::<m![N], m![W, H]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Each row four times.
#[device(chip = 1)]
fn repeated(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, N, W]>) -> HbmTensor<i32, Chip, m![S, N, X, W]> {
    let x = x.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![N, X, W]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![N, X], m![W]>()
        .collect::<m![N, X], m![W]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Each number of a packet twice.
#[device(chip = 1)]
fn repeated_in_packet(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, N, H]>) -> HbmTensor<i32, Chip, m![S, N, H, I]> {
    let x = x.to_dm::<Cluster, Slice, m![N, H]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![N, H, I]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![N], m![H, I]>()
        .collect::<m![N], m![H, I]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// 63 bytes in two flits.
#[device(chip = 1)]
fn odd_bytes(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, P # 64]>) -> HbmTensor<i8, Chip, m![S, P]> {
    let x = x.to_dm::<Cluster, Slice, m![P # 64]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![P # 64]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![P # 64]>()
        .collect::<m![P # 64 / 32], m![P # 64 % 32]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Five rows of seven words, each padded to eight.
#[device(chip = 1)]
fn five_by_seven(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, Q, R # 8]>) -> HbmTensor<i32, Chip, m![S, R, Q]> {
    let x = x.to_dm::<Cluster, Slice, m![Q, R # 8]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![Q, R # 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Q], m![R # 8]>()
        .collect::<m![Q], m![R # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// 25 words in a row, cut into flits where they happen to end.
#[device(chip = 1)]
fn twenty_five(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, [Q, T] # 32]>) -> HbmTensor<f32, Chip, m![S, T, Q]> {
    let x = x.to_dm::<Cluster, Slice, m![[Q, T] # 32]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![[Q, T] # 32]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![1], m![[Q, T] # 32]>()
        .collect::<m![[Q, T] # 32 / 8], m![[Q, T] # 32 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, 1.0f32)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A packet of 24 bytes out of three places.
#[device(chip = 1)]
fn three_reads(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, C, N, W]>) -> HbmTensor<i8, Chip, m![S, N, C, W]> {
    let x = x.to_dm::<Cluster, Slice, m![C, N, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![N, C, W]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![N], m![C, W]>()
        .collect::<m![N], m![[C, W] # 32]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Two tensors in turn.
#[device(chip = 1)]
fn interleaved(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, N, W]>,
    y: &HbmTensor<i32, Chip, m![S, N, W]>,
) -> HbmTensor<i32, Chip, m![S, N, I, W]> {
    let x = x.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![N, I, W]> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![N, I], m![W]>()
        .collect::<m![N, I], m![W]>()
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Two tensors in turn, added by an interleaved sum of the accumulating kind: one pass of the reduction stage.
#[device(chip = 1)]
fn interleaved_sum(
    ctx: &mut Context,
    x: &HbmTensor<f32, Chip, m![S, N, H]>,
    y: &HbmTensor<f32, Chip, m![S, N, H]>,
) -> HbmTensor<f32, Chip, m![S, N, H]> {
    let x = x.to_dm::<Cluster, Slice, m![N, H]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![N, H]>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![N, H]> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<f32, m![N, I], m![H]>()
        .collect::<m![N, I], m![H # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![H]>()
        .vector_intra_slice_reduce::<I, m![N], m![H]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![H # 8]>()
        .vector_final()
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[device(chip = 1)]
fn zero_point_i8(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, N, W]>) -> HbmTensor<i32, Chip, m![S, N, W]> {
    let x = x.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![N, W]> = ctx
        .main
        .begin(x.view())
        .fetch_with_zero_point::<i32, m![N], m![W]>(10)
        .collect::<m![N], m![W]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Each of the two tensors has its own zero point.
#[device(chip = 1)]
fn two_zero_points(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![S, N, W]>,
    y: &HbmTensor<i8, Chip, m![S, N, W]>,
) -> HbmTensor<i32, Chip, m![S, N, W]> {
    let x = x.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0x1000);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![N, W]> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch_with_zero_points::<i32, m![N, I], m![W]>([100, -100])
        .collect::<m![N, I], m![W]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![N, 1 # 2], m![N]>()
        .vector_fxp_zip(FxpBinaryOp::MulInt)
        .vector_final()
        .commit(0x2000);
    out.to_hbm(&mut ctx.tdma, 2 << 28)
}

// The first three of four rows, and half of each.
#[device(chip = 1)]
fn a_part(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, N, W]>) -> HbmTensor<i32, Chip, m![S, N = 3, W = 4]> {
    let x = x.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![N = 3, W = 4]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![N = 3], m![W = 4]>()
        .collect::<m![N = 3], m![W = 4 # 8]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Of a view: the rows from the second on, two at a time.
#[device(chip = 1)]
fn of_views(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, N, W]>) -> HbmTensor<i32, Chip, m![S, I, N = 2, W]> {
    let x = x.to_dm::<Cluster, Slice, m![N, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![I, N = 2, W]> = ctx
        .main
        .begin_interleaved::<I, _, _, _, _, _>(
            x.view().tile::<m![N], 2, m![N = 2 # 4, W]>(1),
            x.view().tile::<m![N], 2, m![N = 2 # 4, W]>(2),
        )
        .fetch::<i32, m![N = 2, I], m![W]>()
        .collect::<m![N = 2, I], m![W]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
