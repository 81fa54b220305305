//! A quantised matrix product with zero points: three ways to eight bits and back.
//!
//! A number stands for scale * (byte - zero point), with zero points of their own for x, w and y. So
//!
//!     y[r, n] = zy + round(factor[n] / 2^SHIFT * (bias[n] + sum over k of (x[r, k] - zx) * (w[n, k] - zw)))
//!
//! cut to -128..=127, where factor[n] is the quotient of the scales as a number of Q31: 32,768 rows, 64 columns, K =
//! 256. `examples/hello/quantised_matmul.rs` is the small one, without zero points.
//!
//! | kernel | how | cycles |
//! |---|---|---|
//! | `corrected_by_sums` | multiplies the bytes as they are, and corrects with sums | 11,555 |
//! | `zero_points_in_fetch` | subtracts as it fetches: numbers of nine bits | 10,688 |
//! | `with_code_book` | bytes of x are codes, looked up in a table of 256 entries as they are fetched | 10,701 |
//!
//! # Mapping
//!
//! Rows go to clusters and slices, 64 each, in two tiles of 32: while the passes work on a tile DMA brings the next
//! one, by a command in front of the store of this one. All slices need all weights, 16 KiB: 64 neighbours have 256
//! bytes each and pass them round on their way to TRF. A flit has 32 of K and meets 64 columns: 8 rows of TRF, two in a
//! packet (`[N / 8 % 2, K % 32]`), four in turn. Numbers for each column (bias or term, factor) go to VRF in the same
//! way, from eight neighbours. In HBM there are 64 copies of these, one for each eight slices: from one copy all DMA
//! engines would read the same channel of HBM, and each such load would take 5,919 cycles instead of 585.
//!
//! `corrected_by_sums` multiplies out:
//!
//!     sum of (x - zx) (w - zw) = sum of x w - zw * sum of x - zx * sum of w + K zx zw
//!
//! The last two depend on the column alone: the host knows them and adds them to the bias (`term`). The sum of x
//! depends on the row: a pass with a single row of ones in TRF adds it up, the Vector Engine multiplies it with -zw,
//! and the numbers, one for each row, wait in VRF for the pass that multiplies. Nothing overflows: 256 products of
//! bytes have 24 bits at most.
//!
//! `zero_points_in_fetch` needs none of this: the fetch adapter makes i9 of i8 and subtracts on the way, for x in the
//! main context and for w in the sub context, and the multipliers take i9 as quickly. Sums are there to be known
//! where types have no such cast, and where a zero point differs from row to row.
//!
//! In `with_code_book` a byte is an index: fine steps near 0, coarse ones far from it. Only the fetch of the main
//! context has tables, so that the factor with codes is the one that streams.
//!
//! # Engines and memory
//!
//! DMA, Fetch (zero points, table), Switch, Collect, Contraction with eight rows and two sums each (i8 or i9 to i32),
//! Vector (fixed point, clip), Cast, Commit. A second pass requantises, as a pass has one adder for fixed point, and
//! the first one may need it: AddFxp, MulFxp (Q31, halves up), ArithRightShiftRound, then the zero point with
//! saturation.
//!
//! A slice has two tiles of x, in turn (8 KiB each), two of y (2 KiB each), its part of the weights (256 bytes), ones,
//! sums of a tile (8 KiB), and eight numbers each of term and factor. TRF 8 x 2 KiB in one half, ones in the other; VRF
//! 256 bytes each of term and factor, and 32 for each row of a tile. Sums need one place only: passes that write and
//! read them follow each other anyway.
//!
//! # What bounds it
//!
//! HBM: rows and results are 10.5 MB, 6,991 cycles at 1.5 TB/s, and the products 2,048 on the multipliers (262,144 a
//! cycle in i8). The kernels move 62 % to 66 % of what HBM could, at 18 % to 19 % of the peak of the multipliers: there
//! are 64 MACs for a byte of x and 51 in all, where 175 are wanted. DMA is busy but for 105 to 387 cycles in front of
//! the last store, and of its time 500 cycles for each command are the start: of four tiles, and of weights, terms and
//! factors (and ones), 585 each. Passes and TRF hide behind it but for what is left of the last tile's. Each further
//! tile takes 4,414, 79 % of what HBM could move.
//!
//! # Sizes
//!
//! R, the rows of a slice, is any multiple of a tile, as many of them as `OneTile` says; a tile (`Tiles` and `Tile`) is
//! any multiple of 4 with 32 bytes for each row <= 7,680, what VRF has left. N is 64 and K is 256: `N % 8` and `K / 32`
//! are 64 slices. |x - zx| and |w - zw| are below 2^8, so that K <= 32,768 keeps sums in i32. Sizes that do not fit are
//! refused.
//!
//! # What to try
//!
//! - Tiles of 16 rows, `R / 16` and `R % 16` with `m![1 # 4]`: which share the starts have then.
//! - Per-row zero points in `corrected_by_sums`: a tensor instead of `-(ZERO_OF_W as i32)`.
//! - The table of a sigmoid as the code book: an activation for nothing.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![Side = 2, Quarter = 4, Block = 8, Lane = 8, R = 64, N = 64, K = 256];

type Chip = m![1];
type Cluster = m![Side];
type Slice = m![Quarter, Block, Lane]; // R rows in each slice
type Slices = m![Block % 4, Lane, Block / 4, Side, Quarter]; // in HBM, in the order in which DMA fills them

type Tiles = m![R / 32];
type Tile = m![R % 32];
type OneTile = m![1 # 2]; // of all

type PackedRows = m![R, { Slices }, K];
type PackedWeights = m![N % 8, K / 32, N / 8, K % 32];
type CopiesOfColumns = m![Side, Quarter, Block, N]; // one for every eight slices
type PackedResults = m![R / 4, { Slices }, R % 4, N];
type PackedTile = m![{ Tile } / 4, { Slices }, R % 4, N];

type Rows = DmTensor<i8, Chip, Cluster, Slice, m![{ Tile }, K]>; // of a tile
type Weights<D> = TrfTensor<D, Chip, Cluster, Slice, m![N % 8], m![K / 32, N / 8, K % 32]>;
type WeightParts = DmTensor<i8, Chip, Cluster, m![Quarter, N % 8, K / 32], m![N / 8, K % 32]>;
type Ones = TrfTensor<i8, Chip, Cluster, Slice, m![1], m![K]>;
type PerRow = VrfTensor<i32, Chip, Cluster, Slice, m![{ Tile }, 1 # 8]>;
type PerColumn = VrfTensor<i32, Chip, Cluster, Slice, m![N]>;
type Sums = DmTensor<i32, Chip, Cluster, Slice, m![{ Tile }, N]>;
type Results = DmTensor<i8, Chip, Cluster, Slice, m![{ Tile }, N]>;

const ZERO_OF_X: i8 = 17;
const ZERO_OF_W: i8 = -9;
const ZERO_OF_Y: i32 = 5;
const SHIFT: i32 = 10;

const TILES: usize = <Tiles>::SIZE;
const X_BYTES: u64 = (<Tile>::SIZE * K::SIZE) as u64;
const Y_BYTES: u64 = (<Tile>::SIZE * N::SIZE) as u64;
const X_ADDRESS: u64 = 0; // two tiles, in turn
const Y_ADDRESS: u64 = X_ADDRESS + 2 * X_BYTES; // two, likewise
const W_ADDRESS: u64 = Y_ADDRESS + 2 * Y_BYTES;
const ONES_ADDRESS: u64 = W_ADDRESS + (N::SIZE * K::SIZE / 64) as u64;
const SUM_ADDRESS: u64 = ONES_ADDRESS + 32;
const TERM_ADDRESS: u64 = SUM_ADDRESS + 4 * Y_BYTES;
const FACTOR_ADDRESS: u64 = TERM_ADDRESS + 32;

const TERM_VRF: u64 = 0;
const FACTOR_VRF: u64 = TERM_VRF + N::SIZE as u64 * 4;
const ROW_VRF: u64 = FACTOR_VRF + N::SIZE as u64 * 4;

// Code c stands for a number near c^2 / 128, with its sign: fine steps near 0, coarse ones far from it.
fn code_book() -> [i8; 256] {
    let mut table = [0i8; 256];
    for code in 0..256 {
        let signed = if code < 128 { code as i32 } else { code as i32 - 256 }; // bit patterns: negative ones come last
        table[code] = if signed < 0 { -((signed * signed / 129) as i8) } else { (signed * signed / 128) as i8 };
    }
    table
}

// One number for each column, to VRF of every slice: eight neighbours have a flit each, and pass it round.
fn load_columns(ctx: &mut Context, from: &HbmTensor<i32, Chip, CopiesOfColumns>, address: u64, vrf: u64) -> PerColumn {
    let columns: DmTensor<i32, Chip, Cluster, m![Quarter, Block, N / 8], m![N % 8]> =
        from.to_dm(&mut ctx.tdma, address);
    ctx.sub
        .begin(columns.view())
        .fetch::<i32, m![1], m![N % 8]>()
        .switch::<Slice, m![N / 8]>(SwitchConfig::Broadcast01 { slice1: 8, slice0: 1, time0: 1 })
        .collect::<m![N / 8], m![N % 8]>()
        .to_vrf(vrf)
}

// A tile of rows to DM.
fn load(ctx: &mut Context, x: &HbmTensor<i8, Chip, PackedRows>, tile: usize) -> Rows {
    x.view()
        .tile::<Tiles, 1, m![{ OneTile }, { Tile }, { Slices }, K]>(tile)
        .to_dm(&mut ctx.tdma, X_ADDRESS + (tile % 2) as u64 * X_BYTES)
}

fn store(ctx: &mut Context, results: &Results, y: &mut HbmTensor<i8, Chip, PackedResults>, tile: usize) {
    results
        .view()
        .to_hbm_view(&mut ctx.tdma, y.view_mut().tile::<Tiles, 1, m![{ OneTile }, { PackedTile }]>(tile));
}

// The weights to DM: 64 neighbours have a part each, and pass it round on its way to TRF.
fn load_weights(ctx: &mut Context, w: &HbmTensor<i8, Chip, PackedWeights>) -> WeightParts {
    w.to_dm(&mut ctx.tdma, W_ADDRESS)
}

fn store_weights(ctx: &mut Context, w: &WeightParts) -> Weights<i8> {
    ctx.sub
        .begin(w.view())
        .fetch::<i8, m![1], m![N / 8, K % 32]>()
        .switch::<Slice, m![N % 8, K / 32]>(SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 1 })
        .collect::<m![N % 8, K / 32, N / 8], m![K % 32]>()
        .to_trf(TrfAddress::FirstHalf)
}

// A row of ones, to TRF of every slice.
fn load_ones(ctx: &mut Context, ones: &HbmTensor<i8, Chip, m![Side, Quarter, Block, K]>) -> Ones {
    let ones: DmTensor<i8, Chip, Cluster, m![Quarter, Block, K / 32], m![K % 32]> =
        ones.to_dm(&mut ctx.tdma, ONES_ADDRESS);
    ctx.sub
        .begin(ones.view())
        .fetch::<i8, m![1], m![K % 32]>()
        .switch::<Slice, m![K / 32]>(SwitchConfig::Broadcast01 { slice1: 8, slice0: 1, time0: 1 })
        .collect::<m![K / 32], m![K % 32]>()
        .to_trf(TrfAddress::SecondHalf)
}

// The sums of a row in i8, times -ZERO_OF_W: one number for each row.
fn row_terms(ctx: &mut Context, x: &Rows, ones: &Ones) -> PerRow {
    ctx.main
        .begin(x.view())
        .fetch::<i8, Tile, m![K]>()
        .collect::<m![{ Tile }, K / 32], m![K % 32]>()
        .align::<m![{ Tile }, K / 64], m![K % 64], _, _>(ones)
        .contract::<m![1]>()
        .accumulate::<Tile, m![1 # 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, -(ZERO_OF_W as i32))
        .vector_final()
        .to_vrf(ROW_VRF)
}

// To eight bits: plus a term and times a factor in Q31 for each column, halved SHIFT times, plus the zero point, cut to
// -128..=127.
fn requantise(ctx: &mut Context, sums: &Sums, term: &PerColumn, factor: &PerColumn, tile: usize) -> Results {
    ctx.main
        .begin(sums.view())
        .fetch::<i32, m![{ Tile }, N / 8], m![N % 8]>()
        .collect::<m![{ Tile }, N / 8], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, term)
        .vector_fxp(FxpBinaryOp::MulFxp, factor)
        .vector_fxp(FxpBinaryOp::ArithRightShiftRound, SHIFT)
        .vector_clip(ClipBinaryOpI32::AddFxpSat, ZERO_OF_Y)
        .vector_clip(ClipBinaryOpI32::Max, -128)
        .vector_clip(ClipBinaryOpI32::Min, 127)
        .vector_final()
        .cast::<i8, m![N % 8 # 32]>()
        .commit(Y_ADDRESS + (tile % 2) as u64 * Y_BYTES)
}

// Products of bytes as they are, corrected by sums: `term` has what depends on the column alone.
#[device(chip = 1)]
fn corrected_by_sums(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, PackedRows>,
    w: &HbmTensor<i8, Chip, PackedWeights>,
    ones: &HbmTensor<i8, Chip, m![Side, Quarter, Block, K]>,
    term: &HbmTensor<i32, Chip, CopiesOfColumns>,
    factor: &HbmTensor<i32, Chip, CopiesOfColumns>,
    y: &mut HbmTensor<i8, Chip, PackedResults>,
) {
    let w = load_weights(ctx, w);
    let mut next = load(ctx, x, 0);
    let w = store_weights(ctx, &w);
    let ones = load_ones(ctx, ones);
    let term = load_columns(ctx, term, TERM_ADDRESS, TERM_VRF);
    let factor = load_columns(ctx, factor, FACTOR_ADDRESS, FACTOR_VRF);
    for tile in 0..TILES {
        let now = next;
        if tile + 1 < TILES {
            next = load(ctx, x, tile + 1); // in front of the store below, which waits for passes
        }
        let row_terms = row_terms(ctx, &now, &ones);
        let sums: Sums = ctx
            .main
            .begin(now.view())
            .fetch::<i8, Tile, m![K]>()
            .collect::<m![{ Tile }, K / 32], m![K % 32]>()
            .align::<m![{ Tile }, K / 32, N / 16], m![N / 8 % 2, K % 32], _, _>(&w)
            .contract::<m![N / 8 % 2]>()
            .accumulate::<m![{ Tile }, N / 8], m![N % 8]>(AccumulationKind::Interleaved)
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_fxp(FxpBinaryOp::AddFxp, &row_terms)
            .vector_final()
            .commit(SUM_ADDRESS);
        let results = requantise(ctx, &sums, &term, &factor, tile);
        store(ctx, &results, y, tile);
    }
}

// Zero points subtracted as the bytes are fetched, which makes them numbers of nine bits.
#[device(chip = 1)]
fn zero_points_in_fetch(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, PackedRows>,
    w: &HbmTensor<i8, Chip, PackedWeights>,
    bias: &HbmTensor<i32, Chip, CopiesOfColumns>,
    factor: &HbmTensor<i32, Chip, CopiesOfColumns>,
    y: &mut HbmTensor<i8, Chip, PackedResults>,
) {
    let w = load_weights(ctx, w);
    let mut next = load(ctx, x, 0);
    let w: Weights<i9> = ctx
        .sub
        .begin(w.view())
        .fetch_with_zero_point::<i9, m![1], m![N / 8, K % 32]>(ZERO_OF_W)
        .switch::<Slice, m![N % 8, K / 32]>(SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 1 })
        .collect::<m![N % 8, K / 32, N / 8], m![K % 32]>()
        .to_trf(TrfAddress::FirstHalf);
    let bias = load_columns(ctx, bias, TERM_ADDRESS, TERM_VRF);
    let factor = load_columns(ctx, factor, FACTOR_ADDRESS, FACTOR_VRF);
    for tile in 0..TILES {
        let now = next;
        if tile + 1 < TILES {
            next = load(ctx, x, tile + 1); // in front of the store below, which waits for passes
        }
        let sums: Sums = ctx
            .main
            .begin(now.view())
            .fetch_with_zero_point::<i9, m![{ Tile }, K / 32], m![K % 32]>(ZERO_OF_X)
            .collect::<m![{ Tile }, K / 32], m![K % 32]>()
            .align::<m![{ Tile }, K / 32, N / 16], m![N / 8 % 2, K % 32], _, _>(&w)
            .contract::<m![N / 8 % 2]>()
            .accumulate::<m![{ Tile }, N / 8], m![N % 8]>(AccumulationKind::Interleaved)
            .commit(SUM_ADDRESS);
        let results = requantise(ctx, &sums, &bias, &factor, tile);
        store(ctx, &results, y, tile);
    }
}

// Codes instead of numbers: each byte of x is looked up in a table as it is fetched.
#[device(chip = 1)]
fn with_code_book(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, PackedRows>,
    w: &HbmTensor<i8, Chip, PackedWeights>,
    bias: &HbmTensor<i32, Chip, CopiesOfColumns>,
    factor: &HbmTensor<i32, Chip, CopiesOfColumns>,
    y: &mut HbmTensor<i8, Chip, PackedResults>,
) {
    let table = LookupTable::new(&code_book());
    let w = load_weights(ctx, w);
    let mut next = load(ctx, x, 0);
    let w = store_weights(ctx, &w);
    let bias = load_columns(ctx, bias, TERM_ADDRESS, TERM_VRF);
    let factor = load_columns(ctx, factor, FACTOR_ADDRESS, FACTOR_VRF);
    for tile in 0..TILES {
        let now = next;
        if tile + 1 < TILES {
            next = load(ctx, x, tile + 1); // in front of the store below, which waits for passes
        }
        let sums: Sums = ctx
            .main
            .begin(now.view())
            .fetch_with_table::<i8, Tile, m![K]>(&table)
            .collect::<m![{ Tile }, K / 32], m![K % 32]>()
            .align::<m![{ Tile }, K / 32, N / 16], m![N / 8 % 2, K % 32], _, _>(&w)
            .contract::<m![N / 8 % 2]>()
            .accumulate::<m![{ Tile }, N / 8], m![N % 8]>(AccumulationKind::Interleaved)
            .commit(SUM_ADDRESS);
        let results = requantise(ctx, &sums, &bias, &factor, tile);
        store(ctx, &results, y, tile);
    }
}

// ---- the host

type Inputs = HostTensor<i8, m![R, Side, Quarter, Block, Lane, K]>;
type Filters = HostTensor<i8, m![N, K]>;

fn per_column(f: impl Fn(usize) -> i64) -> HostTensor<i32, m![N]> {
    HostTensor::from_buf((0..N::SIZE).map(|n| Opt::Init(f(n) as i32)).collect())
}

fn bias(n: usize) -> i64 {
    (n * 531 % 4001) as i64 - 2000
}

fn factor(n: usize) -> i64 {
    (1 << 30) + ((n as i64) << 22)
}

// The way to eight bits, exactly.
fn rounded(sum: i64, n: usize) -> i64 {
    let scaled = (sum * factor(n) + (1 << 30)) >> 31;
    let halved = (scaled + (1 << (SHIFT - 1))) >> SHIFT;
    (halved + ZERO_OF_Y as i64).clamp(-128, 127)
}

fn compare(x: &Inputs, w: &Filters, of_x: impl Fn(i8) -> i64, of_w: impl Fn(i8) -> i64, y: Vec<Opt<i8>>) {
    let (x, w) = (x.to_buf(), w.to_buf());
    for row in (0..R::SIZE * 512).step_by(97) {
        let n = row % N::SIZE;
        let product = |k: usize| of_x(x[row * K::SIZE + k].unwrap()) * of_w(w[n * K::SIZE + k].unwrap());
        let sum: i64 = (0..K::SIZE).map(product).sum();
        assert_eq!(y[row * N::SIZE + n].unwrap() as i64, rounded(bias(n) + sum, n), "row {row}, column {n}");
    }
}

#[tokio::test]
async fn sums_correct_exactly() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let (x, w) = (Inputs::rand(&mut rng), Filters::rand(&mut rng));
    let (zx, zw) = (ZERO_OF_X as i64, ZERO_OF_W as i64);
    let bytes: Vec<i64> = w.to_buf().into_iter().map(|byte| byte.unwrap() as i64).collect();
    let term = per_column(|n| {
        let sum: i64 = bytes[n * K::SIZE..(n + 1) * K::SIZE].iter().sum();
        bias(n) - zx * sum + K::SIZE as i64 * zx * zw
    });
    let ones = HostTensor::<i8, m![K]>::from_buf(vec![Opt::Init(1); K::SIZE]);
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let ones = ones.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let term = term.to_hbm(&mut ctx.pdma, 3 << 28).await;
    let factor = per_column(factor).to_hbm(&mut ctx.pdma, (3 << 28) + (1 << 20)).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(corrected_by_sums, (&mut *ctx, &x_hbm, &w_hbm, &ones, &term, &factor, &mut y)).await;
    let y = y.to_host::<m![R, Side, Quarter, Block, Lane, N]>(&mut ctx.pdma).await;
    compare(&x, &w, |byte| byte as i64 - zx, |byte| byte as i64 - zw, y.to_buf());
}

#[tokio::test]
async fn fetch_subtracts_exactly() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(43);
    let (x, w) = (Inputs::rand(&mut rng), Filters::rand(&mut rng));
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let bias = per_column(bias).to_hbm(&mut ctx.pdma, 3 << 28).await;
    let factor = per_column(factor).to_hbm(&mut ctx.pdma, (3 << 28) + (1 << 20)).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(zero_points_in_fetch, (&mut *ctx, &x_hbm, &w_hbm, &bias, &factor, &mut y)).await;
    let y = y.to_host::<m![R, Side, Quarter, Block, Lane, N]>(&mut ctx.pdma).await;
    let (zx, zw) = (ZERO_OF_X as i64, ZERO_OF_W as i64);
    compare(&x, &w, |byte| byte as i64 - zx, |byte| byte as i64 - zw, y.to_buf());
}

#[tokio::test]
async fn codes_are_looked_up() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(44);
    let (x, w) = (Inputs::rand(&mut rng), Filters::rand(&mut rng));
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let bias = per_column(bias).to_hbm(&mut ctx.pdma, 3 << 28).await;
    let factor = per_column(factor).to_hbm(&mut ctx.pdma, (3 << 28) + (1 << 20)).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(with_code_book, (&mut *ctx, &x_hbm, &w_hbm, &bias, &factor, &mut y)).await;
    let y = y.to_host::<m![R, Side, Quarter, Block, Lane, N]>(&mut ctx.pdma).await;
    let table = code_book();
    compare(&x, &w, |byte| table[byte as u8 as usize] as i64, |byte| byte as i64, y.to_buf());
}
