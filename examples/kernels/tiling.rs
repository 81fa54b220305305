//! A matrix product in tiles: how large a tile is, in which order tiles come, and where sums wait in between.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], factors and results in bf16, sums in f32. Read it before
//! `blocked_gemm.rs`, which is this kernel with more columns in a slice.
//!
//!     for each tile of K                          4        256 of K: DMA to DM, columns on to TRF
//!         for each group of rows                  8        512 rows, 64 for each slice: a pass of the main context
//!             add the products to the sums of the tiles before
//!
//! The sums are f32 until the last tile of K: bf16 would cut them to 8 bits after each tile. They stay in DM, come
//! along in VRF as an operand of the pass that adds to them, and are rounded once, by the last one.
//!
//! # Mapping
//!
//! Clusters, and four groups of 64 slices in each, share out rows, eight ways; the 64 slices of a group share out
//! columns, 16 each. What a slice has at once, and why it is that much:
//!
//! - 16 columns. One flit arrives in a cycle, and a packet of products has room for two. So each flit fills a packet
//!   by itself, against two columns in each of the 8 rows of TRF. With 8 columns half of the multipliers would idle.
//! - 64 rows in a pass. 64 x 16 sums are 4 KiB, half of VRF: the other half is filled for the next pass meanwhile.
//! - 256 of K. A pass then takes 1,024 cycles, twice what the sub context needs to fetch its sums (8 bytes a cycle)
//!   and 50 times what the pipeline takes to fill. Half of TRF would hold 1024, but everything waits for the first
//!   tile: with 512 the kernel takes 45,714 cycles, with 128 45,883.
//! - 512 rows in all. DMA takes 6,081 cycles to bring a tile of A and B, and eight passes take 8,368: loads hide
//!   behind them. With half of the rows they would not.
//!
//! All slices of a group see the same rows. Each keeps one of 64, and the Switch Engine passes it round. Columns are
//! copied by DMA, to eight groups: a ring joins neighbours, and slices with the same columns are 64 apart.
//!
//! # Engines and memory
//!
//! DMA (with broadcasts), Fetch, Switch, Collect, Contraction with eight rows and two sums each, Vector (an addition),
//! Cast, Commit into a view.
//!
//! A slice has A at 0 (two tiles of 4 KiB), then B (two of 8 KiB), the sums (32 KiB) and the results (16 KiB); tiles
//! of B in both halves of TRF, 8 x 1 KiB each; sums of a pass in both halves of VRF. Whatever is loaded has two places
//! that take turns, so that it can be loaded while what was there before is used.
//!
//! In HBM all three matrices lie in tiles. Those of A and B are what one load brings. As rows, `m![I, K]`, they would
//! be pieces of 512 bytes 2 KiB apart, which goes well; but with K = 4096 they are 8 KiB apart, all in a few channels
//! of HBM, and the kernel is bound by that (234,046 cycles instead of 142,103). Tiles of C have 8 rows and 16 columns:
//! 256 bytes, what HBM writes at once. The host turns rows into tiles and back as it sends and fetches them.
//!
//! # What bounds it
//!
//! The multipliers: 8 rows x 32 products on 512 slices are 131,072 in a cycle, so that 4096 x 1024 x 1024 products
//! take 32,768 cycles. The kernel takes 41,687: 78.6 % of what is possible. From its first pass to its last the main
//! context never waits. What is lost: 6,081 cycles for the first tile, 21 or 22 in each of 32 passes that has to fill,
//! and 2,142 behind the last pass: no number of C is complete before the last tile of K, and DMA takes longer for them
//! all than the passes of that tile. None of this but the filling grows with K: with 4096 it is 92.2 %.
//!
//! # Sizes
//!
//! I is any multiple of 512 up to 35,840: DM has 7 KiB for each of 70 groups of rows. J is 1024, 64 slices with 16
//! columns. K is any multiple of 256 from 512 on. `OneTile` and `OneGroup` say how many tiles and groups there are;
//! numbers that do not fit are refused.
//!
//! # What to try
//!
//! - One place for A, without `(tile % 2)`: each load waits for the last pass that reads the tile before. 47,282
//!   cycles, and `contra schedule` shows the gaps.
//! - C as `m![I, J]`: a slice has 32 bytes of a row, and HBM reads, changes and writes back 256 for each of them.
//!   2,220,759 cycles.
//! - K = 4096 with `OneTile = m![1 # 16]`, in tiles and as rows.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![I = 4096, J = 1024, K = 1024];

type Chip = m![1];
type Cluster = m![I / 256 % 2];
type RowSlice = m![I / 64 % 4, I % 64]; // a row of A in each slice
type Slice = m![I / 64 % 4, J / 16]; // 16 columns of C in each slice

type Tiles = m![K / 256];
type Tile = m![K % 256];
type Flits = m![K / 16 % 16]; // of a tile
type OneTile = m![1 # 4]; // of all
type OneGroup = m![1 # 8]; // of 512 rows, of all

type Rows = DmTensor<bf16, Chip, Cluster, RowSlice, m![I / 512, { Tile }]>;
type Columns = DmTensor<bf16, Chip, Cluster, Slice, m![J % 16, { Tile }]>;
type ColumnsInTrf = TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![{ Flits }, J / 8 % 2, K % 16]>;
type Sums = DmTensor<f32, Chip, Cluster, Slice, m![I / 512, I % 64, J % 16]>;
type SumsInVrf = VrfTensor<f32, Chip, Cluster, Slice, m![I % 64, J % 16]>;
type Results = DmTensor<bf16, Chip, Cluster, Slice, m![I / 512, I % 64, J % 16]>;
type InTiles = m![I / 8, J / 16, I % 8, J % 16]; // C, in HBM

const TILES: usize = <Tiles>::SIZE;
const GROUPS: usize = I::SIZE / 512;

const A_ADDRESS: u64 = 0;
const A_BYTES: u64 = (GROUPS * <Tile>::SIZE * 2) as u64; // of each of two
const B_ADDRESS: u64 = A_ADDRESS + 2 * A_BYTES;
const B_BYTES: u64 = (16 * <Tile>::SIZE * 2) as u64; // of each of two
const SUM_ADDRESS: u64 = B_ADDRESS + 2 * B_BYTES;
const C_ADDRESS: u64 = SUM_ADDRESS + (GROUPS * 64 * 16 * 4) as u64;
const VRF_BYTES: u64 = 0x1000; // of each of two

// The columns of a tile, from DM to TRF: 8 rows, each with two columns that take turns flit by flit.
fn store_columns(ctx: &mut Context, columns: &Columns, tile: usize) -> ColumnsInTrf {
    ctx.sub
        .begin(columns.view())
        .fetch::<bf16, m![J % 8, { Flits }, J / 8 % 2], m![K % 16]>()
        .collect::<m![J % 8, { Flits }, J / 8 % 2], m![K % 16]>()
        .to_trf(if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf })
}

// A group of rows times the columns. The reducer adds up a tile of K.
fn products<'l>(
    ctx: &'l mut Context,
    rows: &Rows,
    columns: &ColumnsInTrf,
    group: usize,
) -> AccumulationTensor<'l, { Tu::Main }, f32, Chip, Cluster, Slice, m![I % 64, J / 8 % 2], m![J % 8]> {
    ctx.main
        .begin(rows.view().tile::<m![I / 512], 1, m![{ OneGroup }, { Tile }]>(group))
        .fetch::<bf16, m![1], Tile>()
        .switch::<Slice, m![I % 64]>(SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 1 })
        .collect::<m![I % 64, { Flits }], m![K % 16]>()
        .align::<m![I % 64, { Flits }], m![J / 8 % 2, K % 16], _, _>(columns)
        .contract::<m![J / 8 % 2]>()
        .accumulate::<m![I % 64, J / 8 % 2], m![J % 8]>(AccumulationKind::Interleaved)
}

// The sums of the tiles before, for a pass that adds to them.
fn load_sums(ctx: &mut Context, sums: &Sums, group: usize) -> SumsInVrf {
    ctx.sub
        .begin(sums.view().tile::<m![I / 512], 1, m![{ OneGroup }, I % 64, J % 16]>(group))
        .fetch::<f32, m![I % 64], m![J % 16]>()
        .collect::<m![I % 64, J / 8 % 2], m![J % 8]>()
        .to_vrf((group % 2) as u64 * VRF_BYTES)
}

#[device(chip = 1)]
fn tiled_gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![{ Tiles }, I, { Tile }]>,
    b: &HbmTensor<bf16, Chip, m![{ Tiles }, J, { Tile }]>,
    c: &mut HbmTensor<bf16, Chip, InTiles>,
) {
    assert!(TILES > 1, "a single tile is no sum of tiles");
    let mut sums: Sums = unsafe { DmTensor::from_addr(SUM_ADDRESS) };
    let mut results: Results = unsafe { DmTensor::from_addr(C_ADDRESS) };
    for tile in 0..TILES {
        let columns: Columns = b
            .view()
            .tile::<Tiles, 1, m![{ OneTile }, J, { Tile }]>(tile)
            .to_dm(&mut ctx.tdma, B_ADDRESS + (tile % 2) as u64 * B_BYTES);
        let rows: Rows = a
            .view()
            .tile::<Tiles, 1, m![{ OneTile }, I, { Tile }]>(tile)
            .to_dm(&mut ctx.tdma, A_ADDRESS + (tile % 2) as u64 * A_BYTES);
        let columns = store_columns(ctx, &columns, tile);
        for group in 0..GROUPS {
            if tile == 0 {
                products(ctx, &rows, &columns, group)
                    .commit_view(sums.view_mut().tile::<m![I / 512], 1, m![{ OneGroup }, I % 64, J % 16]>(group));
                continue;
            }
            let before = load_sums(ctx, &sums, group);
            if tile < TILES - 1 {
                products(ctx, &rows, &columns, group)
                    .vector_init()
                    .vector_intra_slice_branch(BranchMode::Unconditional)
                    .vector_clip(ClipBinaryOpF32::Add, &before)
                    .vector_final()
                    .commit_view(sums.view_mut().tile::<m![I / 512], 1, m![{ OneGroup }, I % 64, J % 16]>(group));
                continue;
            }
            products(ctx, &rows, &columns, group)
                .vector_init()
                .vector_intra_slice_branch(BranchMode::Unconditional)
                .vector_clip(ClipBinaryOpF32::Add, &before)
                .vector_final()
                .cast::<bf16, m![J % 8 # 16]>() // rounded once
                .commit_view(results.view_mut().tile::<m![I / 512], 1, m![{ OneGroup }, I % 64, J % 16]>(group));
            results.view().tile::<m![I / 512], 1, m![{ OneGroup }, I % 64, J % 16]>(group).to_hbm_view(
                &mut ctx.tdma,
                c.view_mut().tile::<m![I / 512], 1, m![{ OneGroup }, I / 8 % 64, J / 16, I % 8, J % 16]>(group),
            );
        }
    }
}

// ---- the host

async fn run(a: &HostTensor<bf16, m![I, K]>, b: &HostTensor<bf16, m![J, K]>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let a = a.to_hbm(&mut ctx.pdma, 0).await;
    let b = b.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut c = unsafe { HbmTensor::<bf16, Chip, InTiles>::from_addr(1 << 30) };
    launch(tiled_gemm, (&mut *ctx, &a, &b, &mut c)).await;
    c.to_host::<m![I, J]>(&mut ctx.pdma).await.to_buf().into_iter().map(|value| value.unwrap().to_f32()).collect()
}

#[tokio::test]
async fn close_to_plain_sums() {
    let mut rng = SmallRng::seed_from_u64(42);
    let a = HostTensor::<bf16, m![I, K]>::rand(&mut rng);
    let b = HostTensor::<bf16, m![J, K]>::rand(&mut rng);
    let c = run(&a, &b).await;
    let a = a.to_buf();
    let b = b.to_buf();
    for i in (0..I::SIZE).step_by(511) {
        for j in (i % 97..J::SIZE).step_by(197) {
            let row = &a[i * K::SIZE..(i + 1) * K::SIZE];
            let column = &b[j * K::SIZE..(j + 1) * K::SIZE];
            let expected: f64 =
                (0..K::SIZE).map(|k| (row[k].unwrap().to_f32() * column[k].unwrap().to_f32()) as f64).sum();
            // bf16 has 8 bits and rounds by half of the last, one part in 256; 1024 numbers below 1 in f32 are off by
            // far less than 0.001
            let tolerance = expected.abs() / 256.0 + 1.0e-3;
            let found = c[i * J::SIZE + j] as f64;
            assert!((found - expected).abs() <= tolerance, "row {i}, column {j}: {found} instead of {expected}");
        }
    }
}
