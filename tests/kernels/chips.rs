//! Four chips and two clusters: rotations, diagonals, and the sums made of them.
use furiosa_visa_std::prelude::*;

axes![Z = 4, L = 2, S = 256, A = 8, B = 4, M = 32, I = 2, Y = 4];

type Four = m![Z];
type Cluster = m![1 # 2];
type Slice = m![S];

// Chip t reads from the chip that entry t of the pattern names. The result has no address of the program's: it lies
// where there is room, by the vendor's library at 0. So the input lies elsewhere.
#[device(chip = 4)]
fn rotate(ctx: &mut Context, x: &HbmTensor<i32, Four, m![S, A]>) -> HbmTensor<i32, Four, m![S, A]> {
    let x = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, 0x1000);
    let next: DmTensor<i32, Four, Cluster, Slice, m![A]> =
        ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(x.view(), &[1, 2, 3, 0]);
    next.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A pattern may name a chip twice.
#[device(chip = 4)]
fn copies_of_chips(ctx: &mut Context, x: &HbmTensor<f32, Four, m![S, A]>) -> HbmTensor<f32, Four, m![S, A]> {
    let x = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, 0x1000);
    let next: DmTensor<f32, Four, Cluster, Slice, m![A]> =
        ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(x.view(), &[2, 2, 0, 0]);
    next.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn swap_clusters(ctx: &mut Context, x: &HbmTensor<i8, m![1], m![L, S, A]>) -> HbmTensor<i8, m![1], m![L, S, A]> {
    let x = x.to_dm::<m![L], Slice, m![A]>(&mut ctx.tdma, 0x1000);
    let swapped: DmTensor<i8, m![1], m![L], Slice, m![A]> =
        ctx.tdma.dm_cluster_shuffle::<_, 2, _, _, _, _>(x.view(), &[1, 0]);
    swapped.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Each chip keeps another row.
#[device(chip = 4)]
fn diagonal_of_chips(ctx: &mut Context, x: &HbmTensor<i32, Four, m![S, B, A]>) -> HbmTensor<i32, Four, m![S, A]> {
    let x = x.to_dm::<Cluster, Slice, m![B, A]>(&mut ctx.tdma, 0x1000);
    let part: DmTensor<i32, _, _, _, m![A]> =
        ctx.sub.parallel_copy_chip_slice::<4, m![B], m![1 # 4, A], _, _, _, _, _, _>(x.view(), &[3, 0, 1, 2]);
    part.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn rows_of_clusters(
    ctx: &mut Context,
    x: &HbmTensor<i32, m![1], m![L, S, B, A]>,
) -> HbmTensor<i32, m![1], m![L, S, A]> {
    let x = x.to_dm::<m![L], Slice, m![B, A]>(&mut ctx.tdma, 0x1000);
    let part: DmTensor<i32, _, _, _, m![A]> =
        ctx.sub.parallel_copy_cluster_slice::<2, m![B], m![1 # 4, A], _, _, _, _, _, _>(x.view(), &[3, 1]);
    part.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The same kernel on every chip, with the data of each.
#[device(chip = 4)]
fn on_every_chip(ctx: &mut Context, x: &HbmTensor<i32, Four, m![S, M]>) -> HbmTensor<i32, Four, m![S, M]> {
    let x = x.to_dm::<Cluster, Slice, m![M]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Four, Cluster, Slice, m![M]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![M / 8], m![M % 8]>()
        .collect::<m![M / 8], m![M % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::Z })
        .vector_fxp(
            FxpBinaryOp::AddFxp,
            [VeBranchOperand::group(1, GroupId::Zero), VeBranchOperand::group(-1, GroupId::One)],
        )
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The sum of two tensors that lie on each chip.
fn sum(
    ctx: &mut Context,
    x: &DmTensor<i32, m![Z], m![1 # 2], m![S], m![A]>,
    y: &DmTensor<i32, m![Z], m![1 # 2], m![S], m![A]>,
    address: u64,
) -> DmTensor<i32, m![Z], m![1 # 2], m![S], m![A]> {
    ctx.main
        .begin_interleaved::<I, _, _, _, _, _>(x.view(), y.view())
        .fetch::<i32, m![I], m![A]>()
        .collect::<m![I], m![A]>()
        .vector_init()
        .vector_intra_slice_unzip::<I, m![1 # 2], m![1]>()
        .vector_clip_zip(ClipBinaryOpI32::AddFxp)
        .vector_final()
        .commit(address)
}

// Everybody gets the sum over all chips: the tensor goes once round, and is added up on the way.
#[device(chip = 4)]
fn all_reduce(ctx: &mut Context, x: &HbmTensor<i32, Four, m![S, A]>) -> HbmTensor<i32, Four, m![S, A]> {
    let own = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, 0x1000);
    let one: DmTensor<i32, Four, Cluster, Slice, m![A]> =
        ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(own.view(), &[1, 2, 3, 0]);
    let pairs = sum(ctx, &own, &one, 0x2000);
    let two: DmTensor<i32, Four, Cluster, Slice, m![A]> =
        ctx.tdma.dm_chip_shuffle::<_, 4, _, _, _, _>(pairs.view(), &[2, 3, 0, 1]);
    let all = sum(ctx, &pairs, &two, 0x3000);
    all.to_hbm(&mut ctx.tdma, 1 << 28)
}

// One row of the input goes to all four chips at once.
#[device(chip = 4)]
fn to_all_chips(ctx: &mut Context, x: &HbmTensor<i32, m![1 # 4], m![S, A]>) -> HbmTensor<i32, m![1 # 4], m![S, A]> {
    let x = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, m![1 # 4], Cluster, Slice, m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, -2)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// From the HBM of one chip to that of another.
#[device(chip = 4)]
fn hbm_of_chips(ctx: &mut Context, x: &HbmTensor<i32, Four, m![S, A]>) -> HbmTensor<i32, Four, m![S, A]> {
    ctx.tdma.hbm_chip_shuffle(x, &[3, 0, 1, 2])
}
