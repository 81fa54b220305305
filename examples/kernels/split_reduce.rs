//! Sums whose terms lie apart: in slices, in clusters, in tensors of their own, in pieces that come one by one.
//!
//!     layer_norm        y[t, h] = (x[t, h] - mean of x[t]) / sqrt(variance of x[t] + eps)
//!     batch_statistics  mean[c], variance[c] of x[n, c] over all samples n
//!     expert_sum        y[p, w] = sum over experts e of weight[p, e] * out[e, p, w]
//!     window_sums       y[f] = sum over all steps s of x[s, f]
//!
//! Where an axis lies decides which engine adds it up. What is in the lanes of a packet or in time steps is added up in
//! the slice, for nothing, on the way through the Vector Engine. Slices are added up by the Inter-Slice Block, which
//! sends one packet round: 8 cycles for 8 slices, 256 for all. Between clusters there is only DMA, at 500 cycles a
//! command. So each kernel adds up first what is near, and sends few numbers far.
//!
//! # Mapping
//!
//! - `layer_norm`: 32 tokens, each in 2 clusters x 8 slices x 512 columns; more tokens follow in time (`Token / 32`).
//!   That is how a product that shares out its columns leaves them. A cluster finds mean m and mean square v of its own
//!   half, m by a pass and v by a second one, so that nothing cancels. Then one exchange (`dm_cluster_shuffle`) brings
//!   both from the other cluster, and `combine` makes (m + m') / 2 and (v + v') / 2 + ((m - m') / 2)^2 of them. With
//!   the common mean sent first, and the variance after it, there would be two exchanges.
//! - `batch_statistics`: clusters take half of the channels each, so nothing has to cross; slices and time take the
//!   samples. Channels stay in the lanes: four sums at a time. Sums go round the slices once for both batches.
//! - `expert_sum`: a token in each slice, the outputs of its experts side by side there. The sum over experts is then
//!   one over time: four steps of `m![Width / 8, Expert, ..]`, each with its own weight from VRF.
//! - `window_sums`: as batch statistics, but a window is forgotten when it is added up: two places in DM are enough for
//!   any number of steps. The sums of all windows are kept and go round the slices once, in the end.
//!
//! # Engines and memory
//!
//! DMA (also between clusters), Fetch (bf16 to f32; two tensors in turn), Switch (one slice to eight), Collect, Vector
//! (narrow, float, two groups, intra-slice reduce, division, widen, inter-slice reduce), Cast, Commit, and the sub
//! context to load VRF. In a slice:
//!
//!     layer_norm        x at 0, y behind it (4 KiB each), statistics; VRF: means and scales of two tiles
//!     batch_statistics  samples (4 KiB), two sums and two squares of 128 channels; VRF: 128 means
//!     expert_sum        outputs of two tiles in turn (2 KiB each), weights, sums of two; VRF: weights of two tiles
//!     window_sums       two windows in turn (2 KiB each), the sums of each window; no VRF
//!
//! # What bounds it
//!
//! HBM and DMA. Floats go through the Vector Engine four at a time, 512 slices at once, 2,048 a cycle; HBM brings 750
//! in bf16. A pass or two over a tile are over before the next tile is there.
//!
//!     kernel            cycles   at 1.5 TB/s   what else
//!     layer_norm         6,167         2,796   500 to start each of five commands; 555 of statistics of the last tile,
//!                                              64 of the exchange and 316 until the first result can leave
//!     batch_statistics   4,361         1,398   500 to start each of three commands that nothing hides; 1,490 from
//!                                              the last sample to the variance: the way round the slices twice (642),
//!                                              squares of both batches (524)
//!     expert_sum         4,379         1,770   500 to start each of five commands, and nothing else: DMA never waits
//!     window_sums        5,881         2,796   500 to start each of five commands; 644 behind the last window
//!
//! These are small: a tile has 1 MiB, for which HBM takes 699 cycles, so a start costs almost as much as the data. With
//! tiles of 4 MiB it is one part in seven.
//!
//! # Sizes
//!
//! - `Token` is any multiple of 64 up to 4,096; `OneTile` says how many tiles that makes. `Hidden` is 16 x any multiple
//!   of 8, which stands as 512 (then 64 and 128 are an eighth and a quarter of it, 4096 a half of all).
//! - `Sample` is any multiple of 2,048, as many batches as `OneBatch` says; DM holds 340,000 of them. `Channel` is 2 x
//!   any multiple of 8, which stands as 128 (then 16 and 32 are an eighth and a quarter of it).
//! - `Place` is any multiple of 512, as many tiles as `PlaceTile` says; `Width` is any multiple of 8, `Expert` is free:
//!   two tiles of all experts' outputs have 512 KiB. Weights come twice each, so that 8 bytes, the least that Fetch
//!   reads, have one, and DMA finds no gaps.
//! - `Step` and `Feature` are as Sample and Channel; `OneWindow` says how many windows there are: up to 900, whose sums
//!   fill DM.
//!
//! Sizes that a mapping does not divide are refused (E0107), and so is a tile that is not one of as many as there are
//! (E0521) or an axis that leaves a cluster without work (E0502).
//!
//! # What to try
//!
//! - Give the clusters tokens instead of columns (`Half = m![Token / 64]`, 16 parts): the exchange is gone.
//! - Load the next tile of `expert_sum` behind the sum of this one: DMA waits for each pass, 520 cycles more.
//! - In `batch_statistics` let each slice take its own mean and square, and combine those as `layer_norm` does: then
//!   samples are read once, and need not stay.

use furiosa_visa_std::prelude::*;

type Chip = m![1];

const EPSILON: f32 = 1.0e-5;

// ---- layer norm: the columns of a token lie in two clusters, and in eight slices of each

axes![Token = 128, Hidden = 8192, Stat = 2, Pair = 2];

type Half = m![Hidden / 4096]; // of the columns: one to a cluster
type Parts = m![Token % 32, Hidden / 512 % 8];
type First = m![Token % 32, 1 # 8]; // of eight parts: it has what they come to
type OneTile = m![1 # 2]; // of Token / 64
type TileRows = m![{ OneTile }, Token / 32 % 2, Hidden % 512];
type TileTime = m![Token / 32 % 2, Hidden / 8 % 64];
type OneStat = m![1 # 2, Token / 32, 1 # 2];
type TileStat = m![1 # 2, { OneTile }, Token / 32 % 2, 1 # 2];
type Rows = DmTensor<bf16, Chip, Half, Parts, m![Token / 32, Hidden % 512]>;
type Stats = DmTensor<f32, Chip, Half, First, m![Stat, Token / 32, 1 # 2]>;
type OnePerToken = VrfTensor<f32, Chip, Half, Parts, m![Token / 32 % 2, 1 # 8, 1 # 8]>;

const TILES: usize = <m![Token / 64]>::SIZE;
const COLUMNS: f32 = (Hidden::SIZE / 2) as f32; // of a cluster
const X_ADDRESS: u64 = 0;
const X_BYTES: u64 = (Token::SIZE / 32 * 512 * 2) as u64;
const Y_ADDRESS: u64 = X_ADDRESS + X_BYTES;
const STATS_ADDRESS: u64 = Y_ADDRESS + X_BYTES;
const STATS_BYTES: u64 = (Stat::SIZE * Token::SIZE / 32 * 8) as u64;
const TOTALS_ADDRESS: u64 = STATS_ADDRESS + STATS_BYTES;
const VARIANCE_ADDRESS: u64 = TOTALS_ADDRESS + STATS_BYTES;

const MEAN_VRF: u64 = 0;
const SCALE_VRF: u64 = 0x400;
const NEXT_VRF: u64 = 0x800; // from those of a tile to those of the next one
const APART_VRF: u64 = 0x1000;

// From the first of eight slices to all of them. The other seven are sent round as well: nobody reads what they had.
fn to_all_parts(ctx: &mut Context, stats: &Stats, stat: usize, tile: usize, vrf: u64) -> OnePerToken {
    ctx.sub
        .begin(stats.view().tile::<m![Stat], 1, OneStat>(stat).tile::<m![Token / 64], 1, TileStat>(tile))
        .fetch::<f32, m![Token / 32 % 2], m![1 # 2]>()
        .switch::<Parts, m![Token / 32 % 2, 1 # 8]>(SwitchConfig::Broadcast01 { slice1: 8, slice0: 1, time0: 1 })
        .collect::<m![Token / 32 % 2, 1 # 8], m![1 # 8]>()
        .to_vrf(vrf)
}

// Of what a cluster has of each token: the mean, then the mean square of what is left without it.
fn statistics(ctx: &mut Context, x: &Rows, stats: &mut Stats, tile: usize) {
    ctx.main
        .begin(x.view().tile::<m![Token / 64], 1, TileRows>(tile))
        .fetch::<f32, TileTime, m![Hidden % 8]>()
        .collect::<TileTime, m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Token / 32 % 2, Hidden / 4 % 128], m![Hidden % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 1.0 / COLUMNS)
        .vector_intra_slice_reduce::<Hidden, m![Token / 32 % 2], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_inter_slice_reduce::<First, m![Token / 32 % 2]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit_view(stats.view_mut().tile::<m![Stat], 1, OneStat>(0).tile::<m![Token / 64], 1, TileStat>(tile));
    let mean = to_all_parts(ctx, stats, 0, tile, MEAN_VRF);
    ctx.main
        .begin(x.view().tile::<m![Token / 64], 1, TileRows>(tile))
        .fetch::<f32, TileTime, m![Hidden % 8]>()
        .collect::<TileTime, m![Hidden % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Token / 32 % 2, Hidden / 4 % 128], m![Hidden % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &mean)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32) // a square
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 1.0 / COLUMNS)
        .vector_intra_slice_reduce::<Hidden, m![Token / 32 % 2], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_inter_slice_reduce::<First, m![Token / 32 % 2]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit_view(stats.view_mut().tile::<m![Stat], 1, OneStat>(1).tile::<m![Token / 64], 1, TileStat>(tile));
}

// What both clusters have: the mean of both means, and 1 / sqrt(variance + EPSILON). The variance is the mean of both
// and the square of half of what is between the means.
fn combine(ctx: &mut Context, own: &Stats, others: &Stats) -> Stats {
    let mut totals: Stats = unsafe { DmTensor::from_addr(TOTALS_ADDRESS) };
    ctx.main
        .begin_interleaved::<Pair, _, _, _, _, _>(
            own.view().tile::<m![Stat], 1, OneStat>(0),
            others.view().tile::<m![Stat], 1, OneStat>(0),
        )
        .fetch::<f32, m![Token / 32, Pair], m![1 # 2]>()
        .collect::<m![Token / 32, Pair], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.5f32)
        .vector_intra_slice_reduce::<Pair, m![Token / 32], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit_view(totals.view_mut().tile::<m![Stat], 1, OneStat>(0));
    let apart: VrfTensor<f32, Chip, Half, First, m![Token / 32, 1 # 8]> = ctx
        .main
        .begin_interleaved::<Pair, _, _, _, _, _>(
            own.view().tile::<m![Stat], 1, OneStat>(0),
            others.view().tile::<m![Stat], 1, OneStat>(0),
        )
        .fetch::<f32, m![Token / 32, Pair], m![1 # 2]>()
        .collect::<m![Token / 32, Pair], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Pair, m![Token / 32, 1 # 2], m![Token / 32]>()
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_zip(FpBinaryOp::SubF)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), 0.25f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(APART_VRF);
    let variance: DmTensor<f32, Chip, Half, First, m![Token / 32, 1 # 2]> = ctx
        .main
        .begin_interleaved::<Pair, _, _, _, _, _>(
            own.view().tile::<m![Stat], 1, OneStat>(1),
            others.view().tile::<m![Stat], 1, OneStat>(1),
        )
        .fetch::<f32, m![Token / 32, Pair], m![1 # 2]>()
        .collect::<m![Token / 32, Pair], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, &apart)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.5f32)
        .vector_intra_slice_reduce::<Pair, m![Token / 32], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(VARIANCE_ADDRESS);
    ctx.main
        .begin(variance.view())
        .fetch::<f32, m![Token / 32], m![1 # 2]>()
        .collect::<m![Token / 32], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::AddF, EPSILON)
        .vector_fp_unary(FpUnaryOp::Sqrt)
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit_view(totals.view_mut().tile::<m![Stat], 1, OneStat>(1));
    totals
}

#[device(chip = 1)]
fn layer_norm(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Token, Hidden]>,
    y: &mut HbmTensor<bf16, Chip, m![Token, Hidden]>,
) {
    let mut rows: Rows = unsafe { DmTensor::from_addr(X_ADDRESS) };
    let mut stats: Stats = unsafe { DmTensor::from_addr(STATS_ADDRESS) };
    for tile in 0..TILES {
        x.view().tile::<m![Token / 64], 1, m![{ OneTile }, Token % 64, Hidden]>(tile).to_dm_view(
            &mut ctx.tdma,
            rows.view_mut().tile::<m![Token / 64], 1, TileRows>(tile),
        );
        statistics(ctx, &rows, &mut stats, tile); // while the next tile is loaded
    }
    let others: Stats = ctx.tdma.dm_cluster_shuffle::<_, 2, _, _, _, _>(stats.view(), &[1, 0]);
    let totals = combine(ctx, &stats, &others);

    let mut results: Rows = unsafe { DmTensor::from_addr(Y_ADDRESS) };
    for tile in 0..TILES {
        let next = (tile % 2) as u64 * NEXT_VRF;
        let mean = to_all_parts(ctx, &totals, 0, tile, MEAN_VRF + next);
        let scale = to_all_parts(ctx, &totals, 1, tile, SCALE_VRF + next);
        ctx.main
            .begin(rows.view().tile::<m![Token / 64], 1, TileRows>(tile))
            .fetch::<f32, TileTime, m![Hidden % 8]>()
            .collect::<TileTime, m![Hidden % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_split::<m![Token / 32 % 2, Hidden / 4 % 128], m![Hidden % 4]>()
            .vector_fp_binary(FpBinaryOp::SubF, &mean)
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &scale)
            .vector_concat::<TileTime, m![Hidden % 8]>()
            .vector_final()
            .cast::<bf16, m![Hidden % 8 # 16]>()
            .commit_view(results.view_mut().tile::<m![Token / 64], 1, TileRows>(tile));
        results.view().tile::<m![Token / 64], 1, TileRows>(tile).to_hbm_view(
            &mut ctx.tdma,
            y.view_mut().tile::<m![Token / 64], 1, m![{ OneTile }, Token % 64, Hidden]>(tile),
        );
    }
}

// ---- batch norm: the samples of a channel lie in 256 slices, and come in two batches

axes![Sample = 4096, Channel = 256, Everywhere = 256];

type ChannelHalf = m![Channel / 128];
type SampleSlice = m![Sample % 256];
type OneBatch = m![1 # 2]; // of Sample / 2048
type BatchRows = m![{ OneBatch }, Sample / 256 % 8, Channel % 128];
type BatchTime = m![Channel / 8 % 16, Sample / 256 % 8];
type Samples = DmTensor<bf16, Chip, ChannelHalf, SampleSlice, m![Sample / 256, Channel % 128]>;
type Sums = DmTensor<f32, Chip, ChannelHalf, SampleSlice, m![Sample / 2048, Channel % 128]>;
type OnePerChannel = VrfTensor<f32, Chip, ChannelHalf, SampleSlice, m![Channel % 128]>;

const BATCHES: usize = <m![Sample / 2048]>::SIZE;
const ONE_OF_SAMPLES: f32 = 1.0 / Sample::SIZE as f32;
const SUMS_ADDRESS: u64 = (Sample::SIZE / 256 * 128 * 2) as u64; // behind the samples
const SQUARES_ADDRESS: u64 = SUMS_ADDRESS + (BATCHES * 128 * 4) as u64;
const FOUND_ADDRESS: u64 = SQUARES_ADDRESS + (BATCHES * 128 * 4) as u64;

// A batch, added up in each slice by itself.
fn sums_of_batch(ctx: &mut Context, x: &Samples, sums: &mut Sums, batch: usize) {
    ctx.main
        .begin(x.view().tile::<m![Sample / 2048], 1, BatchRows>(batch))
        .fetch::<f32, BatchTime, m![Channel % 8]>()
        .collect::<BatchTime, m![Channel % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ BatchTime }, Channel / 4 % 2], m![Channel % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), ONE_OF_SAMPLES)
        .vector_intra_slice_reduce::<Sample, m![Channel / 4 % 32], m![Channel % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Channel / 8 % 16], m![Channel % 8]>()
        .vector_final()
        .commit_view(sums.view_mut().tile::<m![Sample / 2048], 1, m![{ OneBatch }, Channel % 128]>(batch));
}

// The same of the squares of what is left without the mean.
fn squares_of_batch(ctx: &mut Context, x: &Samples, mean: &OnePerChannel, squares: &mut Sums, batch: usize) {
    ctx.main
        .begin(x.view().tile::<m![Sample / 2048], 1, BatchRows>(batch))
        .fetch::<f32, BatchTime, m![Channel % 8]>()
        .collect::<BatchTime, m![Channel % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ BatchTime }, Channel / 4 % 2], m![Channel % 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, mean)
        .vector_fp_binary_with_mode(FpBinaryOp::MulF(FpMulAlu::Mul0), BinaryArgMode::Mode00, 1.0f32)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), ONE_OF_SAMPLES)
        .vector_intra_slice_reduce::<Sample, m![Channel / 4 % 32], m![Channel % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Channel / 8 % 16], m![Channel % 8]>()
        .vector_final()
        .commit_view(squares.view_mut().tile::<m![Sample / 2048], 1, m![{ OneBatch }, Channel % 128]>(batch));
}

// Both batches and all slices. All of them get to know it, each under its own name.
fn total(ctx: &mut Context, sums: &Sums) -> DmTensor<f32, Chip, ChannelHalf, SampleSlice, m![Channel % 128]> {
    let found: DmTensor<f32, Chip, ChannelHalf, m![Everywhere], m![Channel % 128]> = ctx
        .main
        .begin(sums.view())
        .fetch::<f32, m![Channel / 8 % 16, Sample / 2048], m![Channel % 8]>()
        .collect::<m![Channel / 8 % 16, Sample / 2048], m![Channel % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Channel / 8 % 16, Sample / 2048, Channel / 4 % 2], m![Channel % 4]>()
        .vector_intra_slice_reduce::<Sample, m![Channel / 4 % 32], m![Channel % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Channel / 8 % 16], m![Channel % 8]>()
        .vector_inter_slice_reduce::<m![Everywhere], m![Channel / 8 % 16]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(FOUND_ADDRESS);
    unsafe { found.reshape() }
}

#[device(chip = 1)]
fn batch_statistics(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Sample, Channel]>,
    mean: &mut HbmTensor<f32, Chip, m![Channel]>,
    variance: &mut HbmTensor<f32, Chip, m![Channel]>,
) {
    let mut samples: Samples = unsafe { DmTensor::from_addr(0) };
    let mut sums: Sums = unsafe { DmTensor::from_addr(SUMS_ADDRESS) };
    let mut squares: Sums = unsafe { DmTensor::from_addr(SQUARES_ADDRESS) };
    for batch in 0..BATCHES {
        x.view().tile::<m![Sample / 2048], 1, m![{ OneBatch }, Sample % 2048, Channel]>(batch).to_dm_view(
            &mut ctx.tdma,
            samples.view_mut().tile::<m![Sample / 2048], 1, BatchRows>(batch),
        );
        sums_of_batch(ctx, &samples, &mut sums, batch); // while the next batch is loaded
    }
    let found = total(ctx, &sums);
    found.view().slice_tile::<SampleSlice, 1, m![1 # 256]>(0).to_hbm_view(&mut ctx.tdma, mean.view_mut());
    let of_all: OnePerChannel = ctx
        .sub
        .begin(found.view())
        .fetch::<f32, m![Channel / 8 % 16], m![Channel % 8]>()
        .collect::<m![Channel / 8 % 16], m![Channel % 8]>()
        .to_vrf(0);
    for batch in 0..BATCHES {
        squares_of_batch(ctx, &samples, &of_all, &mut squares, batch);
    }
    let found = total(ctx, &squares);
    found.view().slice_tile::<SampleSlice, 1, m![1 # 256]>(0).to_hbm_view(&mut ctx.tdma, variance.view_mut());
}

// ---- experts: what four tensors hold of a token, weighted

axes![Expert = 4, Place = 1024, Width = 256, Twice = 2];

type PlaceHalf = m![Place / 256 % 2];
type Places = m![Place % 256];
type PlaceTile = m![1 # 2]; // of Place / 512
type Outputs = DmTensor<bf16, Chip, PlaceHalf, Places, m![Expert, Width]>;

const PLACE_TILES: usize = <m![Place / 512]>::SIZE;
const OUTPUTS_BYTES: u64 = (Expert::SIZE * Width::SIZE * 2) as u64;
const WEIGHTS_ADDRESS: u64 = 2 * OUTPUTS_BYTES;
const SUM_ADDRESS: u64 = WEIGHTS_ADDRESS + (PLACE_TILES * Expert::SIZE * 8) as u64;
const SUM_BYTES: u64 = (Width::SIZE * 2) as u64;

fn load_outputs(
    ctx: &mut Context,
    outputs: &HbmTensor<bf16, Chip, m![Expert, Place, Width]>,
    buffer: &mut Outputs,
    tile: usize,
) {
    outputs
        .view()
        .tile::<m![Place / 512], 1, m![Expert, { PlaceTile }, Place % 512, Width]>(tile)
        .to_dm_view(&mut ctx.tdma, buffer.view_mut());
}

#[device(chip = 1)]
fn expert_sum(
    ctx: &mut Context,
    outputs: &HbmTensor<bf16, Chip, m![Expert, Place, Width]>,
    weights: &HbmTensor<f32, Chip, m![Place, Expert, Twice]>,
    y: &mut HbmTensor<bf16, Chip, m![Place, Width]>,
) {
    let weights: DmTensor<f32, Chip, PlaceHalf, Places, m![Place / 512, Expert, Twice]> =
        weights.to_dm(&mut ctx.tdma, WEIGHTS_ADDRESS);
    // the first of two that are alike
    let weights: DmTensor<f32, Chip, PlaceHalf, Places, m![Place / 512, Expert, 1 # 2]> = unsafe { weights.reshape() };
    let mut buffers: [Outputs; 2] = unsafe { [DmTensor::from_addr(0), DmTensor::from_addr(OUTPUTS_BYTES)] };
    load_outputs(ctx, outputs, &mut buffers[0], 0);
    for tile in 0..PLACE_TILES {
        if tile + 1 < PLACE_TILES {
            // in front of the sum of this tile, which DMA can fetch only when the pass is over
            load_outputs(ctx, outputs, &mut buffers[(tile + 1) % 2], tile + 1);
        }
        let weights: VrfTensor<f32, Chip, PlaceHalf, Places, m![Expert, 1 # 8]> = ctx
            .sub
            .begin(weights.view().tile::<m![Place / 512], 1, m![{ PlaceTile }, Expert, 1 # 2]>(tile))
            .fetch::<f32, m![Expert], m![1 # 2]>()
            .collect::<m![Expert], m![1 # 8]>()
            .to_vrf((tile % 2) as u64 * Expert::SIZE as u64 * 32);
        let sum: DmTensor<bf16, Chip, PlaceHalf, Places, m![Width]> = ctx
            .main
            .begin(buffers[tile % 2].view())
            .fetch::<f32, m![Width / 8, Expert], m![Width % 8]>()
            .collect::<m![Width / 8, Expert], m![Width % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_split::<m![Width / 8, Expert, Width / 4 % 2], m![Width % 4]>()
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &weights)
            .vector_intra_slice_reduce::<Expert, m![Width / 4], m![Width % 4]>(IntraSliceReduceOpF32::Add)
            .vector_concat::<m![Width / 8], m![Width % 8]>()
            .vector_final()
            .cast::<bf16, m![Width % 8 # 16]>()
            .commit(SUM_ADDRESS + (tile % 2) as u64 * SUM_BYTES);
        sum.view().to_hbm_view(
            &mut ctx.tdma,
            y.view_mut().tile::<m![Place / 512], 1, m![{ PlaceTile }, Place % 512, Width]>(tile),
        );
    }
}

// ---- windows: more steps than there is room for

axes![Step = 8192, Feature = 256];

type FeatureHalf = m![Feature / 128];
type StepSlice = m![Step % 256];
type OneWindow = m![1 # 4]; // of Step / 2048
type WindowTime = m![Feature / 8 % 16, Step / 256 % 8];
type Window = DmTensor<bf16, Chip, FeatureHalf, StepSlice, m![Step / 256 % 8, Feature % 128]>;
type WindowSums = DmTensor<f32, Chip, FeatureHalf, StepSlice, m![Step / 2048, Feature % 128]>;

const WINDOWS: usize = <m![Step / 2048]>::SIZE;
const WINDOW_BYTES: u64 = (Step::SIZE / WINDOWS / 256 * 128 * 2) as u64;
const WINDOW_SUMS_ADDRESS: u64 = 2 * WINDOW_BYTES;
const ALL_ADDRESS: u64 = WINDOW_SUMS_ADDRESS + (WINDOWS * 128 * 4) as u64;

#[device(chip = 1)]
fn window_sums(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Step, Feature]>,
    y: &mut HbmTensor<f32, Chip, m![Feature]>,
) {
    let mut sums: WindowSums = unsafe { DmTensor::from_addr(WINDOW_SUMS_ADDRESS) };
    for window in 0..WINDOWS {
        let steps: Window = x
            .view()
            .tile::<m![Step / 2048], 1, m![{ OneWindow }, Step % 2048, Feature]>(window)
            .to_dm(&mut ctx.tdma, (window % 2) as u64 * WINDOW_BYTES);
        ctx.main
            .begin(steps.view())
            .fetch::<f32, WindowTime, m![Feature % 8]>()
            .collect::<WindowTime, m![Feature % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_split::<m![{ WindowTime }, Feature / 4 % 2], m![Feature % 4]>()
            .vector_intra_slice_reduce::<Step, m![Feature / 4 % 32], m![Feature % 4]>(IntraSliceReduceOpF32::Add)
            .vector_concat::<m![Feature / 8 % 16], m![Feature % 8]>()
            .vector_final()
            .commit_view(sums.view_mut().tile::<m![Step / 2048], 1, m![{ OneWindow }, Feature % 128]>(window));
    }
    let all: DmTensor<f32, Chip, FeatureHalf, m![1 # 256], m![Feature % 128]> = ctx
        .main
        .begin(sums.view())
        .fetch::<f32, m![Feature / 8 % 16, Step / 2048], m![Feature % 8]>()
        .collect::<m![Feature / 8 % 16, Step / 2048], m![Feature % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Feature / 8 % 16, Step / 2048, Feature / 4 % 2], m![Feature % 4]>()
        .vector_intra_slice_reduce::<Step, m![Feature / 4 % 32], m![Feature % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Feature / 8 % 16], m![Feature % 8]>()
        .vector_inter_slice_reduce::<m![1 # 256], m![Feature / 8 % 16]>(InterSliceReduceOpF32::Add)
        .vector_final()
        .commit(ALL_ADDRESS);
    all.view().to_hbm_view(&mut ctx.tdma, y.view_mut());
}

// ---- the host

// Numbers that bf16 holds, with another mean in each row and in each part of it. After 61 rows they repeat: no two
// tiles, clusters or slices have the same ones in the same places.
fn numbers(rows: usize, columns: usize) -> Vec<Opt<bf16>> {
    let number = |row: usize, column: usize| {
        ((column * 29 + row * 5) % 64) as f32 / 8.0 - (row % 8) as f32 + (column * 8 / columns) as f32
    };
    let mut numbers: Vec<Opt<bf16>> = (0..61 * columns)
        .map(|e| Opt::Init(bf16::from_f32(number(e / columns, e % columns))))
        .collect();
    while numbers.len() < rows * columns {
        let more = numbers.len().min(rows * columns - numbers.len());
        numbers.extend_from_within(..more);
    }
    numbers
}

fn value(number: &Opt<bf16>) -> f64 {
    number.unwrap().to_f32() as f64
}

// Results in bf16 are rounded by one part in 256 at most; what f32 loses of numbers up to 16 is far below the rest.
fn compare(found: f32, expected: f64, place: usize) {
    let tolerance = expected.abs() / 250.0 + 1.0e-5;
    assert!((found as f64 - expected).abs() <= tolerance, "number {place}: {found} instead of {expected}");
}

// Mean and variance.
fn moments(numbers: &Vec<f64>) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().map(|v| *v).sum::<f64>() / count;
    (mean, numbers.iter().map(|v| (*v - mean) * (*v - mean)).sum::<f64>() / count)
}

#[tokio::test]
async fn layer_norm_over_clusters_and_slices() {
    let x = numbers(Token::SIZE, Hidden::SIZE);
    let mut ctx = Context::acquire();
    let rows = HostTensor::<bf16, m![Token, Hidden]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, m![Token, Hidden]>::from_addr(1 << 30) };
    launch(layer_norm, (&mut *ctx, &rows, &mut y)).await;
    let y = y.to_host::<m![Token, Hidden]>(&mut ctx.pdma).await.to_buf();
    for token in (0..Token::SIZE).step_by(31) {
        let row: Vec<f64> = x[token * Hidden::SIZE..(token + 1) * Hidden::SIZE].iter().map(value).collect();
        let (mean, variance) = moments(&row);
        for h in 0..Hidden::SIZE {
            let e = token * Hidden::SIZE + h;
            compare(y[e].unwrap().to_f32(), (row[h] - mean) / (variance + EPSILON as f64).sqrt(), e);
        }
    }
}

#[tokio::test]
async fn statistics_of_channels() {
    let x = numbers(Sample::SIZE, Channel::SIZE);
    let mut ctx = Context::acquire();
    let samples = HostTensor::<bf16, m![Sample, Channel]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let mut means = unsafe { HbmTensor::<f32, Chip, m![Channel]>::from_addr(1 << 30) };
    let mut variances = unsafe { HbmTensor::<f32, Chip, m![Channel]>::from_addr(2 << 30) };
    launch(batch_statistics, (&mut *ctx, &samples, &mut means, &mut variances)).await;
    let means = means.to_host::<m![Channel]>(&mut ctx.pdma).await.to_buf();
    let variances = variances.to_host::<m![Channel]>(&mut ctx.pdma).await.to_buf();
    for c in (0..Channel::SIZE).step_by(15) {
        let channel: Vec<f64> = (0..Sample::SIZE).map(|n| value(&x[n * Channel::SIZE + c])).collect();
        let (mean, variance) = moments(&channel);
        // f32: a sum of 4096 numbers in a tree of 12 levels is off by 12 parts in 2^24 of their sizes at most
        assert!((means[c].unwrap() as f64 - mean).abs() <= 1.0e-5, "mean of {c}");
        assert!((variances[c].unwrap() as f64 - variance).abs() <= 1.0e-4, "variance of {c}");
    }
}

#[tokio::test]
async fn weighted_sum_of_experts() {
    let outputs = numbers(Expert::SIZE * Place::SIZE, Width::SIZE);
    let weight = |p: usize, e: usize| ((p * 3 + e * 5) % 16) as f32 / 16.0;
    let weights: Vec<Opt<f32>> = (0..Place::SIZE * Expert::SIZE * 2)
        .map(|i| Opt::Init(weight(i / 2 / Expert::SIZE, i / 2 % Expert::SIZE)))
        .collect();
    let mut ctx = Context::acquire();
    let outputs_hbm =
        HostTensor::<bf16, m![Expert, Place, Width]>::from_buf(outputs.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let weights = HostTensor::<f32, m![Place, Expert, Twice]>::from_buf(weights).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, m![Place, Width]>::from_addr(1 << 30) };
    launch(expert_sum, (&mut *ctx, &outputs_hbm, &weights, &mut y)).await;
    let y = y.to_host::<m![Place, Width]>(&mut ctx.pdma).await.to_buf();
    for i in (0..Place::SIZE * Width::SIZE).step_by(7) {
        let (p, w) = (i / Width::SIZE, i % Width::SIZE);
        let of = |e: usize| value(&outputs[(e * Place::SIZE + p) * Width::SIZE + w]) * weight(p, e) as f64;
        compare(y[i].unwrap().to_f32(), (0..Expert::SIZE).map(of).sum(), i);
    }
}

#[tokio::test]
async fn sum_of_all_windows() {
    let x = numbers(Step::SIZE, Feature::SIZE);
    let mut ctx = Context::acquire();
    let steps = HostTensor::<bf16, m![Step, Feature]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let mut y = unsafe { HbmTensor::<f32, Chip, m![Feature]>::from_addr(1 << 30) };
    launch(window_sums, (&mut *ctx, &steps, &mut y)).await;
    let y = y.to_host::<m![Feature]>(&mut ctx.pdma).await.to_buf();
    for f in (0..Feature::SIZE).step_by(11) {
        let expected: f64 = (0..Step::SIZE).map(|n| value(&x[n * Feature::SIZE + f])).sum();
        assert_eq!(y[f].unwrap() as f64, expected, "feature {f}"); // eighths below 2^17: exact in f32
    }
}
