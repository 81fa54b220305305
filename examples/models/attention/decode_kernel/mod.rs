//! The kernel of `decode.rs`, which explains it. It has no sizes of its own: axes, and the mappings that change with
//! them, are those of the file that names it as its module.

use super::*;

#[path = "../online_softmax/mod.rs"]
mod online_softmax;
pub use online_softmax::scale;
use online_softmax::*;

pub type Chip = m![1];
type Cluster = m![Kv / 4];
type Pair = m![Kv % 4, B % 2, B / 2]; // a sequence and a head of keys
type Slice = m![{ Pair }, Key % 8]; // has eight slices
type Whole = m![{ Pair }, Part]; // where what these found comes together
type Block = m![G]; // rows: the query heads of a group
type StepKeys = TileKeys;
type Cache = DmTensor<bf16, Chip, Cluster, Slice, m![{ TileKeys }, D]>;
type Queries = DmTensor<bf16, Chip, Cluster, Slice, m![G, D]>;
type Distances = DmTensor<i32, Chip, Cluster, Slice, TileKeys>;
type Branches = VrfTensor<i32, Chip, Cluster, Slice, TileKeys>;
type KeyTile = TrfTensor<bf16, Chip, Cluster, Slice, m![Key / 8 % 8], m![{ KeyGroups }, D / 16, Key / 64 % 2, D % 16]>;
type WeightTile = TrfTensor<bf16, Chip, Cluster, Slice, m![G], TileKeys>;
type WholeOperand = VrfTensor<f32, Chip, Cluster, Whole, m![G, 1 # 8]>;

const TILES: usize = <Tiles>::SIZE;
const MASKED: f32 = -1.0e30; // no score is as low, and yet it is finite: all keys of a slice may be masked

const TILE_BYTES: u64 = (<TileKeys>::SIZE * D::SIZE * 2) as u64;
const K_ADDRESS: u64 = 0; // two, in turns, as all that has a number of its own in each tile
const V_ADDRESS: u64 = K_ADDRESS + 2 * TILE_BYTES;
const Q_ADDRESS: u64 = V_ADDRESS + 2 * TILE_BYTES;
const DISTANCE_ADDRESS: u64 = Q_ADDRESS + OUTPUT_BYTES;
const S_ADDRESS: u64 = DISTANCE_ADDRESS + (<TileKeys>::SIZE * 4) as u64;
const P_ADDRESS: u64 = S_ADDRESS + (G::SIZE * <TileKeys>::SIZE * 4) as u64;
const O_ADDRESS: u64 = P_ADDRESS + (G::SIZE * <TileKeys>::SIZE * 2) as u64;
const PV_ADDRESS: u64 = O_ADDRESS + 4 * OUTPUT_BYTES;
const M_ADDRESS: u64 = PV_ADDRESS + 2 * OUTPUT_BYTES;
const L_ADDRESS: u64 = M_ADDRESS + ROW_BYTES;
const OUT_ADDRESS: u64 = L_ADDRESS + 2 * ROW_BYTES;

const BRANCH_VRF: u64 = VRF_END;
const FACTOR_VRF: u64 = BRANCH_VRF + (<TileKeys>::SIZE * 4) as u64;

const RING: SwitchConfig = SwitchConfig::Broadcast01 { slice1: 8, slice0: 1, time0: 1 };

fn load_tile(ctx: &mut Context, from: &HbmTensor<bf16, Chip, m![Key, B, Kv, D]>, tile: usize, address: u64) -> Cache {
    from.view()
        .tile::<Tiles, 1, m![{ OneTile }, { TileKeys }, Key % 8, B, Kv, D]>(tile)
        .to_dm(&mut ctx.tdma, address + (tile % 2) as u64 * TILE_BYTES)
}

// Which keys of a tile the sequence does not have: 8, group One; the others 0.
fn log_branches(ctx: &mut Context, distances: &Distances, tile: usize) -> Branches {
    ctx.main
        .begin(distances.view())
        .fetch::<i32, m![{ TileKeys } / 8], m![{ TileKeys } % 8]>()
        .collect::<m![{ TileKeys } / 8], m![{ TileKeys } % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, (tile * Key::SIZE / TILES) as i32 + 1)
        .vector_fxp(FxpBinaryOp::LeftShift, 3)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_clip(ClipBinaryOpI32::Min, 8)
        .vector_final()
        .to_vrf(BRANCH_VRF)
}

fn score(ctx: &mut Context, queries: &Queries, keys: &Cache, branches: &Branches) -> Scores {
    let keys: KeyTile = ctx
        .sub
        .begin(keys.view())
        .fetch::<bf16, m![Key / 8 % 8, { KeyGroups }, D / 16, Key / 64 % 2], m![D % 16]>()
        .collect::<m![Key / 8 % 8, { KeyGroups }, D / 16, Key / 64 % 2], m![D % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    ctx.main
        .begin(queries.view())
        .fetch::<bf16, m![G, { KeyGroups }], m![D]>()
        .collect::<m![G, { KeyGroups }, D / 16], m![D % 16]>()
        .align::<m![G, { KeyGroups }, D / 16], m![Key / 64 % 2, D % 16], _, _>(&keys)
        .contract::<m![Key / 64 % 2]>()
        .accumulate::<m![G, { KeyGroups }, Key / 64 % 2], m![Key / 8 % 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch_with_vrf(branches)
        .vector_clip(ClipBinaryOpF32::Min, (MASKED, GroupId::One))
        .vector_final()
        .commit(S_ADDRESS)
}

// The weights of each head, added to what the tiles before come to.
fn add_up(ctx: &mut Context, weights: &Weights, before: Option<RowOperand>, tile: usize) -> OnePerRow {
    let of_tile = ctx
        .main
        .begin(weights.view())
        .fetch::<f32, m![G, { TileKeys } / 8], m![{ TileKeys } % 8]>()
        .collect::<m![G, { TileKeys } / 8], m![{ TileKeys } % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![G, { TileKeys } / 4], m![{ TileKeys } % 4]>()
        .vector_intra_slice_reduce::<Key, m![G], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>();
    let address = L_ADDRESS + (tile % 2) as u64 * ROW_BYTES;
    match before {
        Some(before) => of_tile.vector_clip(ClipBinaryOpF32::Add, &before).vector_final().commit(address),
        None => of_tile.vector_final().commit(address),
    }
}

// Weights times values. Here the weights stay in TRF, one row for each head, and the values go past them as they are,
// 32 columns at a time: each lane adds up its column over all keys.
fn combine(ctx: &mut Context, weights: &Weights, values: &Cache, address: u64) -> Sums {
    let weights: WeightTile = ctx
        .sub
        .begin(weights.view())
        .fetch::<bf16, m![G], TileKeys>()
        .collect::<m![G, { TileKeys } / 16], m![{ TileKeys } % 16]>()
        .to_trf(TrfAddress::SecondHalf);
    let mut sums: Sums = unsafe { DmTensor::from_addr(address) };
    for column in 0..D::SIZE / 32 {
        ctx.main
            .begin(values.view().tile::<m![D / 32], 1, m![{ TileKeys }, { OneColumnTile }, D % 32]>(column))
            .fetch::<bf16, TileKeys, m![D % 32]>()
            .collect::<m![{ TileKeys }, D / 16 % 2], m![D % 16]>()
            .align::<TileKeys, m![D % 32], _, _>(&weights)
            .contract::<m![D % 32]>()
            .accumulate::<m![G, D / 8 % 4], m![D % 8]>(AccumulationKind::Sequential)
            .commit_view(sums.view_mut().tile::<m![D / 32], 1, m![G, { OneColumnTile }, D % 32]>(column));
    }
    sums
}

// One more tile of keys and values.
fn advance(ctx: &mut Context, scores: &Scores, values: &Cache, before: Option<Rows>, tile: usize) -> Rows {
    let largest_vrf = largest(ctx, scores, before.as_ref(), tile);
    let weights = weigh(ctx, scores, &largest_vrf, P_ADDRESS);
    let Some(before) = before else {
        let weight = add_up(ctx, &weights, None, tile);
        let sums = combine(ctx, &weights, values, O_ADDRESS);
        return Rows { largest: keep(ctx, &largest_vrf, &weight, M_ADDRESS), largest_vrf, weight, sums };
    };
    let alpha = shrink(ctx, &before.largest, &largest_vrf);
    let weight_before = times(ctx, &before.weight, &alpha);
    let weight = add_up(ctx, &weights, Some(weight_before), tile);
    let largest = keep(ctx, &largest_vrf, &weight, M_ADDRESS);
    let now = combine(ctx, &weights, values, PV_ADDRESS);
    let sums = merge(ctx, &before.sums, &now, &alpha, O_ADDRESS + (tile % 2) as u64 * 2 * OUTPUT_BYTES);
    Rows { largest, largest_vrf, weight, sums }
}

// What the eight slices of a head have found by themselves goes round, and each puts it together.
fn gather(ctx: &mut Context, heads: &Rows) -> DmTensor<bf16, Chip, Cluster, Whole, m![G, D]> {
    let largest: WholeOperand = ctx
        .main
        .begin(heads.largest.view())
        .fetch::<f32, m![G], m![1 # 2]>()
        .switch::<Whole, m![Key % 8, G]>(SwitchConfig::Broadcast01 { slice1: 8, slice0: 1, time0: G::SIZE })
        .collect::<m![Key % 8, G], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<Key, m![G], m![1 # 4]>(IntraSliceReduceOpF32::Max)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(M_VRF);
    let factors: VrfTensor<f32, Chip, Cluster, Whole, m![G, Key % 8, 1 # 8]> = ctx
        .main
        .begin(heads.largest.view())
        .fetch::<f32, m![G], m![1 # 2]>()
        .switch::<Whole, m![G, Key % 8]>(RING)
        .collect::<m![G, Key % 8], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), scale())
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(FACTOR_VRF);
    let weight: WholeOperand = ctx
        .main
        .begin(heads.weight.view())
        .fetch::<f32, m![G], m![1 # 2]>()
        .switch::<Whole, m![G, Key % 8]>(RING)
        .collect::<m![G, Key % 8], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &factors)
        .vector_intra_slice_reduce::<Key, m![G], m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(L_VRF);
    ctx.main
        .begin(heads.sums.view())
        .fetch::<f32, m![G, D / 8], m![D % 8]>()
        .switch::<Whole, m![G, D / 8, Key % 8]>(RING)
        .collect::<m![G, D / 8, Key % 8], m![D % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![G, D / 8, Key % 8, D / 4 % 2], m![D % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &factors)
        .vector_intra_slice_reduce::<Key, m![G, D / 4], m![D % 4]>(IntraSliceReduceOpF32::Add)
        .vector_fp_div(FpDivBinaryOp::DivF, &weight)
        .vector_concat::<m![G, D / 8], m![D % 8]>()
        .vector_final()
        .cast::<bf16, m![D % 8 # 16]>()
        .commit(OUT_ADDRESS)
}

#[device(chip = 1)]
pub fn decode(
    ctx: &mut Context,
    q: &HbmTensor<bf16, Chip, m![B, Kv, G, D]>,
    k: &HbmTensor<bf16, Chip, m![Key, B, Kv, D]>,
    v: &HbmTensor<bf16, Chip, m![Key, B, Kv, D]>,
    distances: &HbmTensor<i32, Chip, m![B, Key % 8, { TileKeys }]>,
    o: &mut HbmTensor<bf16, Chip, m![B, Kv, G, D]>,
) {
    let queries: Queries = q.to_dm(&mut ctx.tdma, Q_ADDRESS);
    let distances: Distances = distances.to_dm(&mut ctx.tdma, DISTANCE_ADDRESS);
    let mut heads: Option<Rows> = None;
    for tile in 0..TILES {
        let keys = load_tile(ctx, k, tile, K_ADDRESS);
        let values = load_tile(ctx, v, tile, V_ADDRESS);
        let branches = log_branches(ctx, &distances, tile);
        let scores = score(ctx, &queries, &keys, &branches);
        heads = Some(advance(ctx, &scores, &values, heads, tile));
    }
    let out = gather(ctx, &heads.unwrap());
    out.view().slice_tile::<m![Part], 1, m![{ Pair }, 1 # 8]>(0).to_hbm_view(&mut ctx.tdma, o.view_mut());
}
