//! What DMA does without the Tensor Unit: other layouts, copies, parts, rows picked and placed by index.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8, B = 16, C = 32, V = 512, X = 4, L = 2, E = 64, F = 64, G = 2048, M = 8];
axes![P = 63, Q = 5, R = 7, U = 500, T = 2001, H = 200]; // odd ones

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![S];

#[device(chip = 1)]
fn hbm_to_hbm(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![A, B, C]>) -> HbmTensor<i8, Chip, m![C, A, B]> {
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Rows apart in HBM: padding is not part of the tensor.
#[device(chip = 1)]
fn odd_hbm(ctx: &mut Context, x: &HbmTensor<i16, Chip, m![Q, R, P]>) -> HbmTensor<i16, Chip, m![R # 8, P # 64, Q]> {
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Every element four times, innermost and outermost.
#[device(chip = 1)]
fn broadcast_in_hbm(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![A, Q]>) -> HbmTensor<bf16, Chip, m![L, A, Q, X]> {
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[device(chip = 1)]
fn slices_and_elements(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![B, S, A]>,
) -> HbmTensor<i32, Chip, m![B, S % 16, A, S / 16]> {
    let x = x.to_dm::<Cluster, m![S / 16, B], m![S % 16, A]>(&mut ctx.tdma, 0);
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Both clusters, and the axis they divide comes back in between others.
#[device(chip = 1)]
fn both_clusters(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, V]>) -> HbmTensor<f32, Chip, m![V, S]> {
    let x = x.to_dm::<m![V / 256], m![S], m![V % 256]>(&mut ctx.tdma, 0);
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The same vector in all slices of both clusters.
#[device(chip = 1)]
fn broadcast_to_slices(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![C]>) -> HbmTensor<i8, Chip, m![L, S, C]> {
    let x = x.to_dm::<m![L], m![S], m![C]>(&mut ctx.tdma, 0);
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

// From slice to slice inside data memory.
#[device(chip = 1)]
fn dm_to_dm(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, B, A]>) -> HbmTensor<i8, Chip, m![S, B, A]> {
    let x = x.to_dm::<Cluster, m![S], m![B, A]>(&mut ctx.tdma, 0);
    let turned = x.to_dm::<m![S % 16, B], m![S / 16, A]>(&mut ctx.tdma, 0x1000);
    turned.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Each row goes through the pipeline alone, into its own place.
#[device(chip = 1)]
fn tiles_in_a_loop(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![B, S, A]>,
    out: &mut HbmTensor<i32, Chip, m![B, S, A]>,
) {
    for i in 0..16 {
        let row: DmTensor<i32, Chip, Cluster, Slice, m![A]> =
            x.view().tile::<m![B], 1, m![1 # 16, S, A]>(i).to_dm(&mut ctx.tdma, 0);
        let doubled: DmTensor<i32, Chip, Cluster, Slice, m![A]> = ctx
            .main
            .begin(row.view())
            .fetch::<i32, m![1], m![A]>()
            .collect::<m![1], m![A]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::AddFxp, 1000)
            .vector_final()
            .commit(0x1000);
        doubled.view().to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![B], 1, m![1 # 16, S, A]>(15 - i));
    }
}

// Blocks of four rows, two of which the next block has, too.
#[device(chip = 1)]
fn overlapping_tiles(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![B, C]>,
    out: &mut HbmTensor<i8, Chip, m![A, B = 4, C]>,
) {
    for i in 0..7 {
        x.view()
            .tile::<m![B], 4, m![B = 4 # 16, C]>(i * 2)
            .to_hbm_view(&mut ctx.tdma, out.view_mut().tile::<m![A], 1, m![1 # 8, B = 4, C]>(i));
    }
}

// The rows of a table that an index names; some rows more than once.
#[device(chip = 1)]
fn gather(
    ctx: &mut Context,
    table: &HbmTensor<i32, Chip, m![V, A]>,
    index: &HbmTensor<i32, Chip, m![S]>,
) -> HbmTensor<i32, Chip, m![S, A]> {
    let rows: DmTensor<i32, Chip, Cluster, Slice, m![A]> = table.dma_gather(index, 0);
    rows.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Rows that go to both clusters, and to several places of a slice: the index is split like they are.
#[device(chip = 1)]
fn gather_to_clusters(
    ctx: &mut Context,
    table: &HbmTensor<i32, Chip, m![V, A]>,
    index: &HbmTensor<i32, Chip, m![G]>,
) -> HbmTensor<i32, Chip, m![G, A]> {
    let rows: DmTensor<i32, Chip, m![G / 4 % 2], m![G / 8], m![G % 4, A]> = table.dma_gather(index, 0);
    rows.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Rows are written where an index says, over what is there; the last of two writes to a row counts.
#[device(chip = 1)]
fn scatter(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, A]>,
    index: &HbmTensor<i32, Chip, m![S]>,
    table: &mut HbmTensor<i32, Chip, m![V, A]>,
) {
    let x = x.to_dm::<Cluster, Slice, m![A]>(&mut ctx.tdma, 0);
    x.dma_scatter::<m![S], _, _>(index, table, false);
}

// The index counts bytes.
#[device(chip = 1)]
fn scatter_bytes(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![S, C]>,
    index: &HbmTensor<i32, Chip, m![S]>,
    table: &mut HbmTensor<bf16, Chip, m![V, C]>,
) {
    let x = x.to_dm::<Cluster, Slice, m![C]>(&mut ctx.tdma, 0);
    x.dma_scatter::<m![S], _, _>(index, table, true);
}

// A tensor gets other names: position by position, slice by slice.
#[device(chip = 1)]
fn renamed(ctx: &mut Context, x: &HbmTensor<i8, Chip, m![S, E]>) -> HbmTensor<i8, Chip, m![F, S]> {
    let x = x.to_dm::<Cluster, Slice, m![E]>(&mut ctx.tdma, 0);
    let y: DmTensor<i8, Chip, Cluster, Slice, m![F]> = unsafe { x.reshape() };
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The input has room between its rows; what lies there is nobody's business.
#[device(chip = 1)]
fn padded_rows(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![S, P # 64]>) -> HbmTensor<f32, Chip, m![P, S]> {
    let x = x.to_dm::<Cluster, Slice, m![P # 64]>(&mut ctx.tdma, 0x400);
    x.to_hbm(&mut ctx.tdma, 1 << 28)
}

// The key has two axes, one in the slices and one inside.
#[device(chip = 1)]
fn scatter_two_keys(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![S, A, M]>,
    index: &HbmTensor<i32, Chip, m![S, A]>,
    table: &mut HbmTensor<i32, Chip, m![G, M]>,
) {
    let x = x.to_dm::<Cluster, Slice, m![A, M]>(&mut ctx.tdma, 0);
    x.dma_scatter::<m![S, A], _, _>(index, table, false);
}

// 500 rows over the 512 slices of both clusters; twelve stay empty.
#[device(chip = 1)]
fn five_hundred(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![U, A]>) -> HbmTensor<i32, Chip, m![A, U]> {
    let x = x.to_dm::<m![U # 512 / 256], m![U # 512 % 256], m![A]>(&mut ctx.tdma, 0);
    let out: DmTensor<i32, Chip, m![U # 512 / 256], m![U # 512 % 256], m![A]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![1], m![A]>()
        .collect::<m![1], m![A]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::AxisToggle { axis: Ident::U })
        .vector_fxp(FxpBinaryOp::AddFxp, (1, GroupId::One))
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// 2001 numbers, eight to a slice: the last one used has a single number, the five behind it none.
#[device(chip = 1)]
fn two_thousand_and_one(ctx: &mut Context, x: &HbmTensor<f32, Chip, m![T # 2048]>) -> HbmTensor<f32, Chip, m![T]> {
    let x = x.to_dm::<Cluster, m![T # 2048 / 8], m![T # 2048 % 8]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, m![T # 2048 / 8], m![T # 2048 % 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<f32, m![1], m![T # 2048 % 8]>()
        .collect::<m![1], m![T # 2048 % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_clip(ClipBinaryOpF32::Add, 0.5f32)
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// 200 of 256 slices, sent round in rings of four that are cut by the end of the data.
#[device(chip = 1)]
fn two_hundred_in_rings(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![H, C]>,
) -> HbmTensor<i8, Chip, m![H / 4, X, H % 4, C]> {
    let x = x.to_dm::<Cluster, m![H # 256], m![C]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, m![H # 256 / 4, X], m![H # 256 % 4, C]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![C]>()
        .switch::<m![H # 256 / 4, X], m![H # 256 % 4]>(SwitchConfig::Broadcast01 { slice1: 4, slice0: 1, time0: 1 })
        .collect::<m![H # 256 % 4], m![C]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}
