//! A matrix product whose loads and stores hide behind its multiplications: double buffering.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], 16,384 by 512 by 512, factors and results in bf16, sums in f32. The rows
//! of A stay in data memory (DM); the columns of B come in 16 tiles of 32. Each tile goes four steps:
//!
//!     load        DMA         tile t + 2 from HBM to DM                  585 cycles
//!     prefetch    sub         tile t + 1 from DM to half of TRF        1,040
//!     multiply    main        tile t with all rows                     2,084
//!     store       DMA         results of tile t - 1 to HBM             1,183
//!
//! They run on different hardware, so that all four can be at work at once, each on another tile - if each tile has a
//! place of its own. `gemm` has two places for columns in DM, both halves of TRF, and two places for results, used in
//! turn. `gemm_one_buffer` is the same kernel with one place of each: a load waits until what was there before is used,
//! a pass until what was there before is stored. Nothing else differs: the order of operations is that of the program,
//! and what may overlap follows from their addresses.
//!
//!     contra schedule examples/kernels/double_buffered_gemm.rs --kernel gemm
//!     contra schedule examples/kernels/double_buffered_gemm.rs --kernel gemm_one_buffer
//!
//! One more thing matters. DMA takes its commands in order, and one that waits holds up all behind it. So the load of
//! tile t + 2, which only waits for the prefetch of tile t, stands in front of the store of tile t, which waits for the
//! pass.
//!
//! # Mapping
//!
//! Rows go to clusters and slices, neighbouring ones to neighbouring slices, 32 to each: none is copied. Every slice
//! needs all columns: each of the 256 slices of a cluster has 128 bytes of a tile, and the Switch Engine passes them
//! round on their way to TRF. So DMA moves a tile of 32 KiB twice, once for each cluster, and not 512 times.
//!
//! A pass has a flit of a row, 16 of K, meet all 32 columns: 8 rows of TRF, 2 in a packet (`[J / 8 % 2, K % 16]`), 2 in
//! turn. A packet of two different flits, `[K % 32]`, would come every other cycle and leave half of the multipliers
//! idle.
//!
//! # Engines and memory
//!
//! DMA, Fetch, Switch, Collect, Contraction with eight rows and two sums each, Cast, Commit. A slice has A at 0 (32
//! KiB), then B (two places of 128 bytes) and C (two of 2 KiB). TRF has a tile in each half, 8 x 4 KiB: full.
//!
//! In HBM the rows of A lie as they are. Those of C would be pieces of 64 bytes, and HBM writes 256 at once: so tiles
//! of C follow each other, and in a tile four rows of a slice (`PackedResults`). The host turns them back as it fetches
//! them.
//!
//! # What bounds it
//!
//! The multipliers. 8 rows x 32 products on 512 slices are 131,072 in a cycle, so that 16,384 x 512 x 512 products take
//! 32,768 cycles. `gemm` takes 47,120, 69.5 % of the peak, `gemm_one_buffer` 64,280. From its first pass to its last
//! `gemm` never waits: DMA has work for 1,768 cycles and the sub context for 1,040 in the 2,084 of a pass. What is
//! lost: 1,170 cycles for the first two tiles of B and 11,423 for A, without which no pass can begin; 36 in each of 16
//! passes that has to fill; 1,183 for the last results. Only the filling grows with J: with 1024 columns it is 81.4 %.
//!
//! Why tiles are that large: a slice with R rows multiplies a tile of n columns in R x K x n / 256 cycles. The sub
//! context takes K x n / 16 to bring it, DMA 585 for that and 500 + 0.67 x R x n for the results. So R must be 16 at
//! least, or the sub context is the bound; and 26, or DMA is, with K = 512 and n = 32, which is what half of TRF holds.
//!
//! # Sizes
//!
//! - I is any multiple of 2,048, up to 231,424, which fills DM.
//! - J is any multiple of 32; `OneTile` says how many tiles that is.
//! - K is 512: `ColumnSlice` has J % 8 and K / 16, 256 slices in all.
//! - The columns of a tile stand in `Tiles` and `Tile` alone; all else is made of these. 32 x K x 2 bytes are half of
//!   TRF, so that more do not fit. With 16 the four rows of `PackedTile` are 128 bytes, half a unit of HBM, which is
//!   read, changed and written back: 1,138,874 cycles. With `{ SliceRows } / 8` and `% 8` in place of 4 they are a whole
//!   one, and it is 57,749: passes are too short to hide DMA.
//!
//! Sizes that do not fit are refused.
//!
//! # What to try
//!
//! - J = 1024 with `OneTile = m![1 # 32]`: 80,464 cycles, 81.4 %.
//! - The load behind the store: 52,188 cycles, and `contra schedule --compare` shows what waits for what.
//! - I = 8192, 16 rows in a slice: 29,670 cycles, as the passes are now too short to hide the sub context and DMA.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![I = 16384, J = 512, K = 512];

type Chip = m![1];
type Cluster = m![I / 256 % 2];
type Slice = m![I % 256];
type SliceRows = m![I / 512]; // of each slice
type ColumnSlice = m![J % 8, K / 16]; // what slices pass round

type Tiles = m![J / 32];
type Tile = m![J % 32];
type OneTile = m![1 # 16]; // of all

type PackedColumns = m![{ Tiles }, { ColumnSlice }, { Tile } / 8, K % 16];
type PackedResults = m![{ Tiles }, { PackedTile }];
type PackedTile = m![{ SliceRows } / 4, I % 512, { SliceRows } % 4, { Tile }]; // 256 bytes of each slice

type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![{ SliceRows }, K]>;
type Columns = DmTensor<bf16, Chip, Cluster, ColumnSlice, m![{ Tile } / 8, K % 16]>;
type ColumnsInTrf = TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![K / 16, { Tile } / 8, K % 16]>;
type Results = DmTensor<bf16, Chip, Cluster, Slice, m![{ SliceRows }, { Tile }]>;

const TILES: usize = <Tiles>::SIZE;
const A_ADDRESS: u64 = 0;
const B_ADDRESS: u64 = A_ADDRESS + (<SliceRows>::SIZE * K::SIZE * 2) as u64;
const B_BYTES: u64 = (<Tile>::SIZE * K::SIZE / 256 * 2) as u64; // of each of two
const C_ADDRESS: u64 = B_ADDRESS + 2 * B_BYTES;
const C_BYTES: u64 = (<SliceRows>::SIZE * <Tile>::SIZE * 2) as u64; // of each of two

// A tile of columns to DM.
fn load_columns(ctx: &mut Context, b: &HbmTensor<bf16, Chip, PackedColumns>, tile: usize, place: usize) -> Columns {
    b.view()
        .tile::<Tiles, 1, m![{ OneTile }, { ColumnSlice }, { Tile } / 8, K % 16]>(tile)
        .to_dm(&mut ctx.tdma, B_ADDRESS + place as u64 * B_BYTES)
}

// From all slices to TRF of each.
fn prefetch_columns(ctx: &mut Context, columns: &Columns, place: usize) -> ColumnsInTrf {
    ctx.sub
        .begin(columns.view())
        .fetch::<bf16, m![1], m![{ Tile } / 8, K % 16]>()
        .switch::<Slice, ColumnSlice>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
        .collect::<m![{ ColumnSlice }, { Tile } / 8], m![K % 16]>()
        .to_trf(if place == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf })
}

// All rows times a tile of columns.
fn multiply(ctx: &mut Context, rows: &Rows, columns: &ColumnsInTrf, place: usize) -> Results {
    ctx.main
        .begin(rows.view())
        .fetch::<bf16, SliceRows, m![K]>()
        .collect::<m![{ SliceRows }, K / 16], m![K % 16]>()
        .align::<m![{ SliceRows }, K / 16, { Tile } / 16], m![J / 8 % 2, K % 16], _, _>(columns)
        .contract::<m![J / 8 % 2]>()
        .accumulate::<m![{ SliceRows }, { Tile } / 8], m![J % 8]>(AccumulationKind::Interleaved)
        .cast::<bf16, m![J % 8 # 16]>()
        .commit(C_ADDRESS + place as u64 * C_BYTES)
}

fn product(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, PackedColumns>,
    c: &mut HbmTensor<bf16, Chip, PackedResults>,
    places: usize,
) {
    let mut columns: Vec<Columns> = (0..places.min(TILES)).map(|tile| load_columns(ctx, b, tile, tile)).collect();
    let rows: Rows = a.to_dm(&mut ctx.tdma, A_ADDRESS);
    for tile in 0..TILES {
        let place = tile % places;
        let in_trf = prefetch_columns(ctx, &columns[place], place);
        if tile + places < TILES {
            columns[place] = load_columns(ctx, b, tile + places, place); // in front of the store, which waits longer
        }
        let results = multiply(ctx, &rows, &in_trf, place);
        results.view().to_hbm_view(&mut ctx.tdma, c.view_mut().tile::<Tiles, 1, m![{ OneTile }, { PackedTile }]>(tile));
    }
}

#[device(chip = 1)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, PackedColumns>,
    c: &mut HbmTensor<bf16, Chip, PackedResults>,
) {
    product(ctx, a, b, c, 2);
}

#[device(chip = 1)]
fn gemm_one_buffer(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, PackedColumns>,
    c: &mut HbmTensor<bf16, Chip, PackedResults>,
) {
    product(ctx, a, b, c, 1);
}

// ---- the host

async fn compare(double: bool) {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let a = HostTensor::<bf16, m![I, K]>::rand(&mut rng);
    let b = HostTensor::<bf16, m![J, K]>::rand(&mut rng);
    let a_hbm = a.to_hbm(&mut ctx.pdma, 0).await;
    let b_hbm = b.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let mut c_hbm = unsafe { HbmTensor::from_addr(1 << 30) };
    if double {
        launch(gemm, (&mut *ctx, &a_hbm, &b_hbm, &mut c_hbm)).await;
    } else {
        launch(gemm_one_buffer, (&mut *ctx, &a_hbm, &b_hbm, &mut c_hbm)).await;
    }
    let c = c_hbm.to_host::<m![I, J]>(&mut ctx.pdma).await.to_buf();
    let (a, b) = (a.to_buf(), b.to_buf());
    for i in (0..I::SIZE).step_by(511) {
        for j in (i % 13..J::SIZE).step_by(37) {
            let row = &a[i * K::SIZE..(i + 1) * K::SIZE];
            let column = &b[j * K::SIZE..(j + 1) * K::SIZE];
            let expected: f64 =
                (0..K::SIZE).map(|k| (row[k].unwrap().to_f32() * column[k].unwrap().to_f32()) as f64).sum();
            // bf16 has 8 bits and rounds by half of the last, one part in 256; 512 products below 1 in f32 are off by
            // far less than 0.001
            let tolerance = expected.abs() / 256.0 + 1.0e-3;
            let found = c[i * J::SIZE + j].unwrap().to_f32() as f64;
            assert!((found - expected).abs() <= tolerance, "row {i}, column {j}: {found} instead of {expected}");
        }
    }
}

#[tokio::test]
async fn two_buffers_give_the_product() {
    compare(true).await;
}

#[tokio::test]
async fn one_buffer_gives_the_product() {
    compare(false).await;
}
