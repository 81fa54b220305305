//! A matrix times a vector in three mappings: what waits in the register file, and which axis fills a packet.
//!
//! y[i] = sum over k of W[i, k] * x[k], 4096 by 4096 in bf16, sums in f32. Each weight is used once, so all three take
//! as long as HBM takes to read W. What differs is what they need of the Tensor Unit, which counts when W is in DM
//! already, and in which order W lies there.
//!
//! | kernel | waits in TRF | in a packet | cycles | of them for a tile in DM |
//! |---|---|---|---|---|
//! | `vector_in_trf` | x | 16 of K, two rows | 25,546 | 517 |
//! | `matrix_in_trf` | two rows of W | 32 of K | 27,339 | 2,048 to TRF, 262 beside them |
//! | `rows_in_packets` | an eighth of x | 16 rows | 25,599 | 526 |
//!
//! # Mapping
//!
//! `vector_in_trf`: a slice has eight rows, in four tiles of two. The stream brings flits of the two rows in turn, and
//! a packet is one of each (`[I % 2, K % 16]`), so that TRF reads 16 of x and uses them twice. The tree adds up each
//! half. Both sums come in one packet (`Sequential`), 8 bytes that can be committed.
//!
//! `matrix_in_trf` is what `decode_gemv.rs` does in a larger size. The vector streams, passed round all slices of the
//! cluster by the Switch Engine, and meets two rows of TRF at once. But first the matrix has to get there, through
//! the sub context, 8 bytes a cycle: four times as long as to stream it. It pays when several vectors share a matrix:
//! up to eight of them hide behind one load.
//!
//! `rows_in_packets` is for a matrix that lies there column by column (y = x W, with W as `m![K, I]`): the tree has
//! nothing to add, since a packet has 16 rows and one k. TRF reads one number of x and spreads it over the packet, the
//! accumulator adds over time. A slice has 64 rows, in four tiles, and an eighth of K; the Inter-Slice Block adds up
//! eight slices. Long sums of few rows take the same way: what an axis is too short for, K can fill.
//!
//! # Engines and memory
//!
//! DMA, Fetch, Switch, Collect, Contraction, Vector (inter-slice reduce, in the last one), Commit into a view. One pass
//! more gathers the sums of eight slices in one, since HBM writes 256 bytes at once (`rows_in_packets` has them there
//! already).
//!
//! A slice has two tiles of W at 0 and 0x4000 (16 KiB each), 16 elements of x, and y. Loads take turns, so that DMA
//! never waits. In HBM W is packed as its slices are filled: 256 bytes for one slice of each of the eight DMA engines,
//! then the other slices of each, then on. `decode_gemv.rs` says why.
//!
//! # What bounds it
//!
//! HBM: 32 MiB take 21,845 cycles when all its 32 channels read all the time, 1,536 bytes a cycle, and the four loads
//! take no longer than that. `contra schedule` counts 1,500, of which the kernels reach 87.7 %, 81.9 % and 87.5 %.
//! What is lost: 2,000 cycles for the start of four loads, 665 for x, and the last tile's way through the Tensor Unit
//! and back to HBM: 1,037, 2,830 and 1,090. Multipliers: half a percent of what they can do.
//!
//! # Sizes
//!
//! I is 4096, 512 slices with eight rows, and K is 4096, 256 slices with 16 of x. For K = 8192 a slice has 32 of x, and
//! a tile of W is one row; for I = 8192 there are eight tiles. Sizes that do not fit are refused.
//!
//! # What to try
//!
//! - `w` as `m![I, K]` in `vector_in_trf`: rows of HBM are opened again and again, 167,542 cycles.
//! - More tiles: each costs 500 cycles to start, but the last one is shorter.
//! - `Interleaved` instead of `Sequential` in `vector_in_trf`: each sum comes in a packet of its own.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![I = 4096, K = 4096];

type Chip = m![1];
type Cluster = m![I / 2048];
type RowSlice = m![I / 8 % 256]; // eight rows in each slice
type PartSlice = m![K / 512, I / 64 % 32]; // 64 rows in each slice, an eighth of K
type Sums = DmTensor<f32, Chip, Cluster, RowSlice, m![I % 8]>;
type Result = DmTensor<f32, Chip, Cluster, m![I / 64 % 32, 1 # 8], m![I % 64]>;

// 256 bytes, engines, networks of an engine, slices of a network, 256 bytes of a slice, tiles: from the inside
type PackedRows = m![I / 2 % 4, I % 2, K / 128, I / 8 % 32, I / 256 % 2, I / 512, K % 128];
type OneTileOfRows = m![1 # 4, I % 2, K / 128, I / 8 % 32, I / 256 % 2, I / 512, K % 128];
type PackedColumns = m![I / 16 % 4, K / 8 % 64, I / 64 % 32, K / 512 % 2, I / 2048, K / 1024, K % 8, I % 16];
type OneTileOfColumns = m![1 # 4, K / 8 % 64, I / 64 % 32, K / 512 % 2, I / 2048, K / 1024, K % 8, I % 16];

const TILES: usize = 4;
const W_BYTES: u64 = (I::SIZE / 512 / TILES * K::SIZE * 2) as u64; // of each of two
const X_ADDRESS: u64 = 2 * W_BYTES;
const Y_ADDRESS: u64 = X_ADDRESS + 0x100;
const Z_ADDRESS: u64 = Y_ADDRESS + 0x100;

// The sums of eight slices, in one of them: 256 bytes.
fn gather(ctx: &mut Context, y: &Sums) -> Result {
    ctx.main
        .begin(y.view())
        .fetch::<f32, m![1], m![I % 8]>()
        .switch::<m![I / 64 % 32, 1 # 8], m![I / 8 % 8]>(SwitchConfig::Broadcast01 { slice1: 8, slice0: 1, time0: 1 })
        .collect::<m![I / 8 % 8], m![I % 8]>()
        .commit(Z_ADDRESS)
}

#[device(chip = 1)]
fn vector_in_trf(
    ctx: &mut Context,
    w: &HbmTensor<bf16, Chip, PackedRows>,
    x: &HbmTensor<bf16, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![I]> {
    let x: DmTensor<bf16, Chip, Cluster, m![K / 16], m![K % 16]> = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let x: TrfTensor<bf16, Chip, Cluster, RowSlice, m![1], m![K]> = ctx
        .sub
        .begin(x.view())
        .fetch::<bf16, m![1], m![K % 16]>()
        .switch::<RowSlice, m![K / 16]>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
        .collect::<m![K / 16], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let mut y: Sums = unsafe { DmTensor::from_addr(Y_ADDRESS) };
    for tile in 0..TILES {
        let w: DmTensor<bf16, Chip, Cluster, RowSlice, m![I % 2, K]> = w
            .view()
            .tile::<m![I / 2 % 4], 1, OneTileOfRows>(tile)
            .to_dm(&mut ctx.tdma, (tile % 2) as u64 * W_BYTES);
        ctx.main
            .begin(w.view())
            .fetch::<bf16, m![K / 16, I % 2], m![K % 16]>()
            .collect::<m![K / 16, I % 2], m![K % 16]>()
            .align::<m![K / 16], m![I % 2, K % 16], _, _>(&x)
            .contract::<m![I % 2]>()
            .accumulate::<m![1], m![I % 2 # 8]>(AccumulationKind::Sequential)
            .commit_view(y.view_mut().tile::<m![I / 2 % 4], 1, m![1 # 4, I % 2]>(tile));
    }
    gather(ctx, &y).to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn matrix_in_trf(
    ctx: &mut Context,
    w: &HbmTensor<bf16, Chip, PackedRows>,
    x: &HbmTensor<bf16, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![I]> {
    let x: DmTensor<bf16, Chip, Cluster, m![K / 16], m![K % 16]> = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let mut y: Sums = unsafe { DmTensor::from_addr(Y_ADDRESS) };
    for tile in 0..TILES {
        let w: DmTensor<bf16, Chip, Cluster, RowSlice, m![I % 2, K]> = w
            .view()
            .tile::<m![I / 2 % 4], 1, OneTileOfRows>(tile)
            .to_dm(&mut ctx.tdma, (tile % 2) as u64 * W_BYTES);
        let w: TrfTensor<bf16, Chip, Cluster, RowSlice, m![I % 2], m![K]> = ctx
            .sub
            .begin(w.view())
            .fetch::<bf16, m![I % 2], m![K]>()
            .collect::<m![I % 2, K / 16], m![K % 16]>()
            .to_trf(if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf });
        ctx.main
            .begin(x.view())
            .fetch::<bf16, m![1], m![K % 16]>()
            .switch::<RowSlice, m![K / 16]>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
            .collect::<m![K / 16], m![K % 16]>()
            .align::<m![K / 32], m![K % 32], _, _>(&w)
            .contract::<m![1]>()
            .accumulate::<m![1], m![I % 2 # 8]>(AccumulationKind::Interleaved)
            .commit_view(y.view_mut().tile::<m![I / 2 % 4], 1, m![1 # 4, I % 2]>(tile));
    }
    gather(ctx, &y).to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn rows_in_packets(
    ctx: &mut Context,
    w: &HbmTensor<bf16, Chip, PackedColumns>,
    x: &HbmTensor<bf16, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![I]> {
    let x: DmTensor<bf16, Chip, Cluster, m![K / 512, K / 16 % 32], m![K % 16]> = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let x: TrfTensor<bf16, Chip, Cluster, PartSlice, m![1], m![K % 512]> = ctx
        .sub
        .begin(x.view())
        .fetch::<bf16, m![1], m![K % 16]>()
        .switch::<PartSlice, m![K / 16 % 32]>(SwitchConfig::Broadcast01 { slice1: 32, slice0: 1, time0: 1 })
        .collect::<m![K / 16 % 32], m![K % 16]>()
        .to_trf(TrfAddress::Full);
    let mut y: DmTensor<f32, Chip, Cluster, m![1 # 8, I / 64 % 32], m![I % 64]> =
        unsafe { DmTensor::from_addr(Y_ADDRESS) };
    for tile in 0..TILES {
        let w: DmTensor<bf16, Chip, Cluster, PartSlice, m![K % 512, I % 16]> = w
            .view()
            .tile::<m![I / 16 % 4], 1, OneTileOfColumns>(tile)
            .to_dm(&mut ctx.tdma, (tile % 2) as u64 * W_BYTES);
        ctx.main
            .begin(w.view())
            .fetch::<bf16, m![K % 512], m![I % 16]>()
            .collect::<m![K % 512], m![I % 16]>()
            .align::<m![K % 512], m![I % 16 # 32], _, _>(&x)
            .contract::<m![I % 16 # 32]>()
            .accumulate::<m![I / 8 % 2], m![I % 8]>(AccumulationKind::Sequential)
            .vector_init()
            .vector_inter_slice_reduce::<m![1 # 8, I / 64 % 32], m![I / 8 % 2]>(InterSliceReduceOpF32::Add)
            .vector_final()
            .commit_view(y.view_mut().tile::<m![I / 16 % 4], 1, m![1 # 4, I % 16]>(tile));
    }
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

#[derive(Clone, Copy)]
enum Way {
    VectorInTrf,
    MatrixInTrf,
    RowsInPackets,
}

async fn run(w: &HostTensor<bf16, m![I, K]>, x: &HostTensor<bf16, m![K]>, way: Way) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = match way {
        Way::VectorInTrf => {
            let w = w.to_hbm(&mut ctx.pdma, 1 << 28).await; // packed on the way
            launch(vector_in_trf, (&mut *ctx, &w, &x)).await
        }
        Way::MatrixInTrf => {
            let w = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
            launch(matrix_in_trf, (&mut *ctx, &w, &x)).await
        }
        Way::RowsInPackets => {
            let w = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
            launch(rows_in_packets, (&mut *ctx, &w, &x)).await
        }
    };
    y.to_host::<m![I]>(&mut ctx.pdma).await.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::test]
async fn all_are_close_to_plain_sums() {
    let mut rng = SmallRng::seed_from_u64(42);
    let w = HostTensor::<bf16, m![I, K]>::rand(&mut rng);
    let x = HostTensor::<bf16, m![K]>::rand(&mut rng);
    let results = [
        run(&w, &x, Way::VectorInTrf).await,
        run(&w, &x, Way::MatrixInTrf).await,
        run(&w, &x, Way::RowsInPackets).await,
    ];
    let w = w.to_buf();
    let x: Vec<f32> = x.to_buf().into_iter().map(|v| v.unwrap().to_f32()).collect();
    for i in (0..I::SIZE).step_by(61) {
        let row = &w[i * K::SIZE..(i + 1) * K::SIZE];
        let expected: f64 = (0..K::SIZE).map(|k| (row[k].unwrap().to_f32() * x[k]) as f64).sum();
        for y in &results {
            // 4096 products below 1 in f32, whose last place is 2^-18 for the largest sum: 4096 roundings at worst
            assert!((y[i] as f64 - expected).abs() < 1.0e-2, "row {i}: {} instead of {expected}", y[i]);
        }
    }
}
