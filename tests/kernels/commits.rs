//! What a commit may do besides writing: leave out, reorder, cut into pieces, write into a part of a tensor.
use furiosa_visa_std::prelude::*;

axes![S = 256, M = 4, K = 2, W = 8, N = 16, J = 32];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

// The first four of eight words.
#[device(chip = 1)]
fn truncated(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, M, K, W]>) -> HbmTensor<f32, Chip, m![S, M, K, W = 4]> {
    let x = x.to_dm::<Cluster, Slice, m![M, K, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![M, K, W = 4]> =
        ctx.main.begin(x.view()).fetch::<f32, m![M, K], m![W]>().collect::<m![M, K], m![W]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// 24 of 32 bytes.
#[device(chip = 1)]
fn three_quarters(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, M, J]>) -> HbmTensor<i8, Chip, m![S, M, J = 24]> {
    let x = x.to_dm::<Cluster, Slice, m![M, J]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![M, J = 24]> =
        ctx.main.begin(x.view()).fetch::<i8, m![M], m![J]>().collect::<m![M], m![J]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The time axes change places, and half of each packet is left out.
#[device(chip = 1)]
fn permuted_and_truncated(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, M, K, N]>,
) -> HbmTensor<bf16, Chip, m![S, K, M, N = 8]> {
    let x = x.to_dm::<Cluster, Slice, m![M, K, N]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, Chip, Cluster, Slice, m![K, M, N = 8]> =
        ctx.main.begin(x.view()).fetch::<bf16, m![M, K], m![N]>().collect::<m![M, K], m![N]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn permuted(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, M, K, N]>) -> HbmTensor<i32, Chip, m![S, N / 8, K, M, N % 8]> {
    let x = x.to_dm::<Cluster, Slice, m![M, K, N]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, Cluster, Slice, m![N / 8, K, M, N % 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![M, K], m![N]>()
        .collect::<m![M, K, N / 8], m![N % 8]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A packet in four pieces with room between them.
#[device(chip = 1)]
fn in_pieces(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, K, M, W]>) -> HbmTensor<i8, Chip, m![S, K, M, W]> {
    let x = x.to_dm::<Cluster, Slice, m![K, M, W]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![K, M, W # 16]> =
        ctx.main.begin(x.view()).fetch::<i8, m![K], m![M, W]>().collect::<m![K], m![M, W]>().commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Two passes fill the two halves of one tensor, the second one doubled.
#[device(chip = 1)]
fn into_views(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, M, W]>) -> HbmTensor<i32, Chip, m![S, K, M, W]> {
    let x = x.to_dm::<Cluster, Slice, m![M, W]>(&mut ctx.tdma, 0);
    let mut out: DmTensor<i32, Chip, Cluster, Slice, m![K, M, W]> = unsafe { DmTensor::from_addr(0x1000) };
    ctx.main
        .begin(x.view())
        .fetch::<i32, m![M], m![W]>()
        .collect::<m![M], m![W]>()
        .commit_view(out.view_mut().tile::<m![K], 1, m![1 # 2, M, W]>(0));
    ctx.main
        .begin(x.view())
        .fetch::<i32, m![M], m![W]>()
        .collect::<m![M], m![W]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::LeftShift, 1)
        .vector_final()
        .commit_view(out.view_mut().tile::<m![K], 1, m![1 # 2, M, W]>(1));
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A pass writes over a part of its input.
#[device(chip = 1)]
fn over_a_part(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, M, W]>) -> HbmTensor<i32, Chip, m![S, M, W]> {
    let mut dm = x.to_dm::<Cluster, Slice, m![M, W]>(&mut ctx.tdma, 0);
    let negative: DmTensor<i32, Chip, Cluster, Slice, m![W]> = ctx
        .main
        .begin(dm.view().tile::<m![M], 1, m![1 # 4, W]>(2))
        .fetch::<i32, m![1], m![W]>()
        .collect::<m![1], m![W]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10, 0)
        .vector_final()
        .commit(0x1000);
    ctx.main
        .begin(negative.view())
        .fetch::<i32, m![1], m![W]>()
        .collect::<m![1], m![W]>()
        .commit_view(dm.view_mut().tile::<m![M], 1, m![1 # 4, W]>(1));
    dm.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The sub context writes eight bytes at a time.
#[device(chip = 1)]
fn by_the_sub_context(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, M, J]>) -> HbmTensor<i8, Chip, m![S, J / 8, M, J % 8]> {
    let x = x.to_dm::<Cluster, Slice, m![M, J]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![J / 8, M, J % 8]> = ctx
        .sub
        .begin(x.view())
        .fetch::<i8, m![J / 8, M], m![J % 8]>()
        .collect::<m![J / 8, M], m![J % 8 # 32]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// A copy by the sub context from one place of memory to another.
#[device(chip = 1)]
fn sub_copy(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, M, W]>) -> HbmTensor<f32, Chip, m![S, W, M]> {
    let x = x.to_dm::<Cluster, Slice, m![M, W]>(&mut ctx.tdma, 0);
    let mut copy: DmTensor<f32, Chip, Cluster, Slice, m![M, W]> = unsafe { DmTensor::from_addr(0x1000) };
    x.to_dm_pcopy(&mut ctx.sub, &mut copy);
    copy.to_hbm(&mut ctx.tdma, 1 << 28)
}
