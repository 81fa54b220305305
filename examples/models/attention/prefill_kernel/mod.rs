//! The kernel of `prefill.rs`, which explains it. It has no sizes of its own: axes, and the mappings that change with
//! them, are those of the file that names it as its module.

use super::*;

#[path = "../online_softmax/mod.rs"]
mod online_softmax;
pub use online_softmax::scale;
use online_softmax::*;

pub type Chip = m![1];
type Cluster = m![Kv / 4];
type Slice = m![Kv % 4, Q % 64];
type StepKeys = m![Key % 1024];
type Queries = DmTensor<bf16, Chip, Cluster, Slice, m![{ Block }, D]>;
type KeyRing = m![{ TileKeys } / 16, D / 32, Key / 8 % 2]; // slices that pass keys round
type KeyParts = DmTensor<bf16, Chip, Cluster, m![Kv % 4, { KeyRing }], m![{ KeyTiles }, Key % 8, D % 32]>;
type ValueParts = DmTensor<bf16, Chip, Cluster, m![Kv % 4, Key / 16 % 64], m![Key / 1024, Key % 16, D]>;
type ValueColumns = DmTensor<bf16, Chip, Cluster, m![Kv % 4, Key / 16 % 64], m![Key / 1024, D, Key % 16]>;
type KeyTile = TrfTensor<bf16, Chip, Cluster, Slice, m![Key % 8], m![{ TileKeys } / 16, D / 16, Key / 8 % 2, D % 16]>;
type ValueTile = TrfTensor<bf16, Chip, Cluster, Slice, m![D % 8], m![Key / 16 % 64, D / 8 % 2, Key % 16]>;
type Ones = DmTensor<bf16, Chip, Cluster, Slice, m![{ Block }, 1 # 4]>;
type QueryNumbers = DmTensor<i32, Chip, Cluster, Slice, m![{ Blocks }, { Positions }, 1 # 2]>;
type KeyNumbers = DmTensor<i32, Chip, Cluster, Slice, TileKeys>;
type Branches = VrfTensor<i32, Chip, Cluster, Slice, m![{ Positions }, { TileKeys }]>;

// What a causal mask is made of: the numbers 0, 1, 2, .. of queries, and of the keys of a tile.
struct Mask {
    queries: QueryNumbers,
    keys: KeyNumbers,
}

const STEPS: usize = Key::SIZE / 1024;
const BLOCKS: usize = <Blocks>::SIZE;
const BLOCK_POSITIONS: usize = Q::SIZE / BLOCKS;
const TILE: usize = <TileKeys>::SIZE; // keys in half of TRF
const TILES: usize = 1024 / TILE; // of a step
const COLUMN_TILES: usize = D::SIZE / 16;

const K_BYTES: u64 = (Key::SIZE * D::SIZE / 32) as u64; // of all keys, 1/64 in a slice
const S_BYTES: u64 = (<Block>::SIZE * 1024 * 4) as u64;
const P_BYTES: u64 = S_BYTES / 2;

const K_ADDRESS: u64 = 0;
const V_ADDRESS: u64 = K_ADDRESS + K_BYTES;
const VT_ADDRESS: u64 = V_ADDRESS + K_BYTES;
const Q_ADDRESS: u64 = VT_ADDRESS + K_BYTES;
const S_ADDRESS: u64 = Q_ADDRESS + 2 * OUTPUT_BYTES;
const P_ADDRESS: u64 = S_ADDRESS + S_BYTES;
const O_ADDRESS: u64 = P_ADDRESS + P_BYTES;
const PV_ADDRESS: u64 = O_ADDRESS + 4 * OUTPUT_BYTES;
const M_ADDRESS: u64 = PV_ADDRESS + 2 * OUTPUT_BYTES;
const L_ADDRESS: u64 = M_ADDRESS + 2 * ROW_BYTES;
const OUT_ADDRESS: u64 = L_ADDRESS + 2 * ROW_BYTES;
const ONES_ADDRESS: u64 = OUT_ADDRESS + 2 * OUTPUT_BYTES;
const QUERY_NUMBERS: u64 = ONES_ADDRESS + ROW_BYTES;
const KEY_NUMBERS: u64 = QUERY_NUMBERS + Q::SIZE as u64 / 8;

const BRANCH_VRF: u64 = VRF_END;
const QUERY_VRF: u64 = BRANCH_VRF + (<Positions>::SIZE * TILE * 4) as u64;

// Two slices have the two keys of a packet, so that each gets 64 bytes of a key in one piece.
const KEY_RING: SwitchConfig = SwitchConfig::Broadcast01 { slice1: 32, slice0: 2, time0: 2 };
const VALUE_RING: SwitchConfig = SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 2 };

fn half(tile: usize) -> TrfAddress {
    if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf }
}

// Where a block of queries begins and ends, counted as keys are.
fn first_position(block: usize) -> usize {
    PAST + block * BLOCK_POSITIONS
}

fn last_position(block: usize) -> usize {
    PAST + (block + 1) * BLOCK_POSITIONS - 1
}

fn load_queries(ctx: &mut Context, q: &HbmTensor<bf16, Chip, m![Q, Kv, G, D]>, queries: &mut Queries, block: usize) {
    q.view()
        .tile::<Blocks, 1, m![{ OneBlock }, { Positions }, Q % 64, Kv, G, D]>(block)
        .to_dm_view(&mut ctx.tdma, queries.view_mut());
}

fn load_keys(ctx: &mut Context, k: &HbmTensor<bf16, Chip, m![Key, Kv, D]>, keys: &mut KeyParts, step: usize) {
    let to = keys.view_mut().tile::<m![Key / 1024], 1, m![{ OneStep }, { StepTiles }, Key % 8, D % 32]>(step);
    k.view().tile::<m![Key / 1024], 1, m![{ OneStep }, Key % 1024, Kv, D]>(step).to_dm_view(&mut ctx.tdma, to);
}

fn load_values(ctx: &mut Context, v: &HbmTensor<bf16, Chip, m![Key, Kv, D]>, values: &mut ValueParts, step: usize) {
    let to = values.view_mut().tile::<m![Key / 1024], 1, m![{ OneStep }, Key % 16, D]>(step);
    v.view().tile::<m![Key / 1024], 1, m![{ OneStep }, Key % 1024, Kv, D]>(step).to_dm_view(&mut ctx.tdma, to);
}

// Each slice turns its 16 keys by D into D by 16 keys.
fn turn_values(ctx: &mut Context, values: &ValueParts, columns: &mut ValueColumns, step: usize) {
    ctx.main
        .begin(values.view().tile::<m![Key / 1024], 1, m![{ OneStep }, Key % 16, D]>(step))
        .fetch::<bf16, m![Key / 4 % 4, D / 8, Key % 4], m![D % 8]>()
        .collect::<m![Key / 4 % 4, D / 8, Key % 4], m![D % 8 # 16]>()
        .transpose::<m![Key / 4 % 4, D], m![Key % 4 # 16]>()
        .commit_view(columns.view_mut().tile::<m![Key / 1024], 1, m![{ OneStep }, D, Key % 16]>(step));
}

fn store_keys(ctx: &mut Context, keys: &KeyParts, tile: usize) -> KeyTile {
    ctx.sub
        .begin(keys.view().tile::<KeyTiles, 1, m![{ OneTile }, Key % 8, D % 32]>(tile))
        .fetch::<bf16, m![Key % 8, D / 16 % 2], m![D % 16]>()
        .switch::<Slice, m![Key % 8, { TileKeys } / 16, D / 16, Key / 8 % 2]>(KEY_RING)
        .collect::<m![Key % 8, { TileKeys } / 16, D / 16, Key / 8 % 2], m![D % 16]>()
        .to_trf(half(tile))
}

fn store_values(ctx: &mut Context, columns: &ValueColumns, step: usize, tile: usize) -> ValueTile {
    ctx.sub
        .begin(columns.view().tile::<m![Key / 1024], 1, m![{ OneStep }, D, Key % 16]>(step).tile::<m![D / 16], 1, m![
            { OneStep },
            { OneColumnTile },
            D % 16,
            Key % 16
        ]>(tile))
        .fetch::<bf16, m![D % 8, D / 8 % 2], m![Key % 16]>()
        .switch::<Slice, m![D % 8, Key / 16 % 64, D / 8 % 2]>(VALUE_RING)
        .collect::<m![D % 8, Key / 16 % 64, D / 8 % 2], m![Key % 16]>()
        .to_trf(half(tile))
}

fn products<'l>(
    ctx: &'l mut Context,
    queries: &Queries,
    keys: &KeyTile,
) -> AccumulationTensor<'l, { Tu::Main }, f32, Chip, Cluster, Slice, m![{ Block }, { TileKeys } / 8], m![Key % 8]> {
    ctx.main
        .begin(queries.view())
        .fetch::<bf16, m![{ Block }, { TileKeys } / 16], m![D]>()
        .collect::<m![{ Block }, { TileKeys } / 16, D / 16], m![D % 16]>()
        .align::<m![{ Block }, { TileKeys } / 16, D / 16], m![Key / 8 % 2, D % 16], _, _>(keys)
        .contract::<m![Key / 8 % 2]>()
        .accumulate::<m![{ Block }, { TileKeys } / 8], m![Key % 8]>(AccumulationKind::Interleaved)
}

// Which scores of a tile of keys are masked: 8, group One, where the key comes behind the query; otherwise 0.
fn log_branches(ctx: &mut Context, mask: &Mask, block: usize, first_key: usize) -> Branches {
    let queries: VrfTensor<i32, Chip, Cluster, Slice, m![{ Positions }, 1 # 8]> = ctx
        .main
        .begin(mask.queries.view().tile::<Blocks, 1, m![{ OneBlock }, { Positions }, 1 # 2]>(block))
        .fetch::<i32, Positions, m![1 # 2]>()
        .collect::<Positions, m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxp, first_key as i32 - PAST as i32)
        .vector_final()
        .to_vrf(QUERY_VRF);
    ctx.main
        .begin(mask.keys.view())
        .fetch::<i32, m![{ Positions }, { TileKeys } / 8], m![Key % 8]>()
        .collect::<m![{ Positions }, { TileKeys } / 8], m![Key % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxp, &queries)
        .vector_fxp(FxpBinaryOp::LeftShift, 3)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_clip(ClipBinaryOpI32::Min, 8)
        .vector_final()
        .to_vrf(BRANCH_VRF)
}

// Scores of a step, tile by tile. Tiles with keys behind the first query of the block are masked.
fn score(
    ctx: &mut Context,
    queries: &Queries,
    keys: &KeyParts,
    mask: Option<&Mask>,
    block: usize,
    step: usize,
) -> Scores {
    let mut scores: Scores = unsafe { DmTensor::from_addr(S_ADDRESS) };
    for tile in 0..TILES {
        let in_trf = store_keys(ctx, keys, step * TILES + tile);
        let first_key = step * 1024 + tile * TILE;
        let to = scores.view_mut().tile::<StepTiles, 1, m![{ Block }, { OneTileOfStep }, { TileKeys }]>(tile);
        match mask {
            Some(mask) if first_key + TILE > first_position(block) + 1 => {
                let branches = log_branches(ctx, mask, block, first_key);
                products(ctx, queries, &in_trf)
                    .vector_init()
                    .vector_intra_slice_branch_with_vrf(&branches)
                    .vector_clip(ClipBinaryOpF32::Min, (f32::NEG_INFINITY, GroupId::One))
                    .vector_final()
                    .commit_view(to);
            }
            _ => products(ctx, queries, &in_trf).commit_view(to),
        }
    }
    scores
}

// A one for each row, to DM: queries times 0 and added up are 0, unless they are no numbers.
fn make_ones(ctx: &mut Context, queries: &Queries) -> Ones {
    ctx.main
        .begin(queries.view())
        .fetch::<f32, m![{ Block }, D / 8], m![D % 8]>()
        .collect::<m![{ Block }, D / 8], m![D % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ Block }, D / 4], m![D % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.0f32)
        .vector_intra_slice_reduce::<D, Block, m![1 # 4]>(IntraSliceReduceOpF32::Add)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_clip(ClipBinaryOpF32::Add, 1.0f32)
        .vector_final()
        .cast::<bf16, m![1 # 16]>()
        .commit(ONES_ADDRESS)
}

// The weights of each row, added to what the steps before come to: multiplied by ones, as the multipliers add up
// four times as many in a cycle as the Vector Engine does.
fn add_up(ctx: &mut Context, weights: &Weights, ones: &Ones, before: Option<RowOperand>, step: usize) -> OnePerRow {
    let ones: TrfTensor<bf16, Chip, Cluster, Slice, m![1], m![{ Block }, 1 # 16]> = ctx
        .sub
        .begin(ones.view())
        .fetch::<bf16, Block, m![1 # 4]>()
        .collect::<Block, m![1 # 16]>()
        .to_trf(half(D::SIZE / 16));
    let of_step = ctx
        .main
        .begin(weights.view())
        .fetch::<bf16, Block, m![Key % 1024]>()
        .collect::<m![{ Block }, Key / 16 % 64], m![Key % 16]>()
        .align::<m![{ Block }, Key / 32 % 32], m![Key % 32], _, _>(&ones)
        .contract::<m![1]>()
        .accumulate::<Block, m![1 # 8]>(AccumulationKind::Interleaved);
    let address = L_ADDRESS + (step % 2) as u64 * ROW_BYTES;
    match before {
        Some(before) => of_step
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_clip(ClipBinaryOpF32::Add, &before)
            .vector_final()
            .commit(address),
        None => of_step.commit(address),
    }
}

// Weights times values, 16 columns at a time.
fn combine(ctx: &mut Context, weights: &Weights, columns: &ValueColumns, step: usize, address: u64) -> Sums {
    let mut sums: Sums = unsafe { DmTensor::from_addr(address) };
    for tile in 0..COLUMN_TILES {
        let in_trf = store_values(ctx, columns, step, tile);
        ctx.main
            .begin(weights.view())
            .fetch::<bf16, Block, m![Key % 1024]>()
            .collect::<m![{ Block }, Key / 16 % 64], m![Key % 16]>()
            .align::<m![{ Block }, Key / 16 % 64], m![D / 8 % 2, Key % 16], _, _>(&in_trf)
            .contract::<m![D / 8 % 2]>()
            .accumulate::<m![{ Block }, D / 8 % 2], m![D % 8]>(AccumulationKind::Interleaved)
            .commit_view(sums.view_mut().tile::<m![D / 16], 1, m![{ Block }, { OneColumnTile }, D % 16]>(tile));
    }
    sums
}

// 1024 more keys.
fn advance(
    ctx: &mut Context,
    scores: &Scores,
    columns: &ValueColumns,
    ones: &Ones,
    before: Option<Rows>,
    step: usize,
) -> Rows {
    let largest_vrf = largest(ctx, scores, before.as_ref(), step);
    let weights = weigh(ctx, scores, &largest_vrf, P_ADDRESS);
    let Some(before) = before else {
        let sums = combine(ctx, &weights, columns, step, O_ADDRESS);
        let weight = add_up(ctx, &weights, ones, None, step);
        return Rows { largest: keep(ctx, &largest_vrf, &weight, M_ADDRESS), largest_vrf, weight, sums };
    };
    let now = combine(ctx, &weights, columns, step, PV_ADDRESS);
    let alpha = shrink(ctx, &before.largest, &largest_vrf);
    let weight_before = times(ctx, &before.weight, &alpha);
    let weight = add_up(ctx, &weights, ones, Some(weight_before), step);
    let sums = merge(ctx, &before.sums, &now, &alpha, O_ADDRESS + (step % 2) as u64 * 2 * OUTPUT_BYTES);
    Rows { largest: keep(ctx, &largest_vrf, &weight, M_ADDRESS), largest_vrf, weight, sums }
}

// Sums of weighted values, divided by the weight of all keys, to HBM.
fn finish(ctx: &mut Context, rows: &Rows, o: &mut HbmTensor<bf16, Chip, m![Q, Kv, G, D]>, block: usize) {
    let inverse: RowOperand = ctx
        .main
        .begin(rows.weight.view())
        .fetch::<f32, Block, m![1 # 2]>()
        .collect::<Block, m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(L_VRF);
    let out: Queries = ctx
        .main
        .begin(rows.sums.view())
        .fetch::<f32, m![{ Block }, D / 8], m![D % 8]>()
        .collect::<m![{ Block }, D / 8], m![D % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![{ Block }, D / 4], m![D % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &inverse)
        .vector_concat::<m![{ Block }, D / 8], m![D % 8]>()
        .vector_final()
        .cast::<bf16, m![D % 8 # 16]>()
        .commit(OUT_ADDRESS + (block % 2) as u64 * OUTPUT_BYTES);
    out.view().to_hbm_view(
        &mut ctx.tdma,
        o.view_mut().tile::<Blocks, 1, m![{ OneBlock }, { Positions }, Q % 64, Kv, G, D]>(block),
    );
}

fn attention(
    ctx: &mut Context,
    q: &HbmTensor<bf16, Chip, m![Q, Kv, G, D]>,
    k: &HbmTensor<bf16, Chip, m![Key, Kv, D]>,
    v: &HbmTensor<bf16, Chip, m![Key, Kv, D]>,
    o: &mut HbmTensor<bf16, Chip, m![Q, Kv, G, D]>,
    mask: Option<&Mask>,
) {
    let mut keys: KeyParts = unsafe { DmTensor::from_addr(K_ADDRESS) };
    let mut values: ValueParts = unsafe { DmTensor::from_addr(V_ADDRESS) };
    let mut columns: ValueColumns = unsafe { DmTensor::from_addr(VT_ADDRESS) };
    let mut queries: [Queries; 2] =
        unsafe { [DmTensor::from_addr(Q_ADDRESS), DmTensor::from_addr(Q_ADDRESS + OUTPUT_BYTES)] };
    load_queries(ctx, q, &mut queries[0], 0);
    let ones = make_ones(ctx, &queries[0]);
    let (mut loaded, mut turned) = (0, 0); // steps of keys and values
    for block in 0..BLOCKS {
        let steps = if mask.is_some() { last_position(block) / 1024 + 1 } else { STEPS };
        for step in loaded..steps {
            load_keys(ctx, k, &mut keys, step);
            load_values(ctx, v, &mut values, step);
        }
        loaded = steps;
        if block + 1 < BLOCKS {
            load_queries(ctx, q, &mut queries[(block + 1) % 2], block + 1);
        }
        let mut rows: Option<Rows> = None;
        for step in 0..steps {
            let scores = score(ctx, &queries[block % 2], &keys, mask, block, step);
            if step == turned {
                turn_values(ctx, &values, &mut columns, step);
                turned += 1;
            }
            rows = Some(advance(ctx, &scores, &columns, &ones, rows, step));
        }
        finish(ctx, &rows.unwrap(), o, block);
    }
}

#[device(chip = 1)]
pub fn prefill(
    ctx: &mut Context,
    q: &HbmTensor<bf16, Chip, m![Q, Kv, G, D]>,
    k: &HbmTensor<bf16, Chip, m![Key, Kv, D]>,
    v: &HbmTensor<bf16, Chip, m![Key, Kv, D]>,
    o: &mut HbmTensor<bf16, Chip, m![Q, Kv, G, D]>,
) {
    attention(ctx, q, k, v, o, None);
}

// The same with a causal mask: query q sees keys up to PAST + q.
#[device(chip = 1)]
pub fn prefill_causal(
    ctx: &mut Context,
    q: &HbmTensor<bf16, Chip, m![Q, Kv, G, D]>,
    k: &HbmTensor<bf16, Chip, m![Key, Kv, D]>,
    v: &HbmTensor<bf16, Chip, m![Key, Kv, D]>,
    query_numbers: &HbmTensor<i32, Chip, m![Q, 1 # 2]>,
    key_numbers: &HbmTensor<i32, Chip, TileKeys>,
    o: &mut HbmTensor<bf16, Chip, m![Q, Kv, G, D]>,
) {
    let mask = Mask {
        queries: query_numbers.to_dm(&mut ctx.tdma, QUERY_NUMBERS),
        keys: key_numbers.to_dm(&mut ctx.tdma, KEY_NUMBERS),
    };
    attention(ctx, q, k, v, o, Some(&mask));
}
