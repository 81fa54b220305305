//! Layer norm: the columns of a token lie in two clusters, and in eight slices of each. See `split_reduce.rs`.

use super::*;

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
pub fn layer_norm(
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
