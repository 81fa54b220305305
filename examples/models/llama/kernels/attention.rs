//! The first half of a layer: what each token takes over from those before it.
//!
//!     q, k, v = turned projections of norm(x);   x + W_o softmax(q k^T / sqrt(D)) v

use super::*;

type Heads = HbmTensor<bf16, Chip, m![Tok, { AllHeads }]>;
type AllHeads = m![Kv, G, D];
type HalfOfHead = m![Tok, 1 # 2, { HalfHead }];
type KeySlices = m![{ HeadsOfCluster }, { KeyPlaces }];
type KeySliceCopies = m![{ HeadsOfCluster }, KeyCopy];
type QueryParts = DmTensor<bf16, Chip, HeadCluster, m![{ HeadsOfCluster }, { QueryIdle }, G, D / 16], m![Tok, D % 16]>;
type CachePart = DmTensor<bf16, Chip, HeadCluster, KeySlices, m![{ Keys }, D]>;
type MaskPart = DmTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, { Keys }, 1 # 2]>;
type Scores = DmTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, { Keys }, 1 # 2]>;
type ScoreOperand = VrfTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, { Keys }, 1 # 8]>;
type OnePerQuery = DmTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, 1 # 2]>;
type QueryOperand = VrfTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, 1 # 8]>;

const HEAD_BYTES: u64 = (Tok::SIZE * D::SIZE * 4) as u64;
const SUMS_ADDRESS: u64 = FREE_ADDRESS; // of a projection
const HEAD_ADDRESS: u64 = SUMS_ADDRESS + (Tok::SIZE * <HeadOfSlice>::SIZE * 4) as u64;
const TURNED_KEYS: u64 = HEAD_ADDRESS + HEAD_BYTES;
const TURNED_QUERIES: u64 = TURNED_KEYS + HEAD_BYTES / 2;
const ROUNDED_VALUES: u64 = TURNED_QUERIES + HEAD_BYTES / 2;
const COS_ADDRESS: u64 = ROUNDED_VALUES + HEAD_BYTES / 2;
const SIN_ADDRESS: u64 = COS_ADDRESS + HEAD_BYTES / 2;
const QUERY_PARTS: u64 = SIN_ADDRESS + HEAD_BYTES / 2;
const QUERY_BYTES: u64 = (Tok::SIZE * KeyCopy::SIZE * 32) as u64; // what goes round all slices of a head
const QUERY_ADDRESS: u64 = QUERY_PARTS + (Tok::SIZE * 32) as u64;
const KEY_BYTES: u64 = (<Keys>::SIZE * D::SIZE * 2) as u64;
const KEY_ADDRESS: u64 = QUERY_ADDRESS + QUERY_BYTES;
const VALUE_ADDRESS: u64 = KEY_ADDRESS + KEY_BYTES;
const MASK_ADDRESS: u64 = VALUE_ADDRESS + KEY_BYTES;
const SCORE_BYTES: u64 = (Tok::SIZE * G::SIZE * <Keys>::SIZE * 8) as u64;
const SCORE_ADDRESS: u64 = MASK_ADDRESS + SCORE_BYTES;
const WEIGHT_ADDRESS: u64 = SCORE_ADDRESS + SCORE_BYTES;
const LARGEST_ADDRESS: u64 = WEIGHT_ADDRESS + SCORE_BYTES;
const TOTAL_ADDRESS: u64 = LARGEST_ADDRESS + SCORE_BYTES;
const MIXED_ADDRESS: u64 = TOTAL_ADDRESS + SCORE_BYTES;
const OUT_PARTS: u64 = MIXED_ADDRESS + (Tok::SIZE * G::SIZE * D::SIZE * 2) as u64;
const OUT_SUMS: u64 = OUT_PARTS + (Tok::SIZE * <HeadPart>::SIZE * 2) as u64;
const OUT_GATHERED: u64 = OUT_SUMS + (Tok::SIZE * <OutOfSlice>::SIZE * 4) as u64;
const OUT_ADDRESS: u64 = OUT_GATHERED + (Tok::SIZE * <OutOfRing>::SIZE * 4) as u64;

const Q_SCRATCH: u64 = SCRATCH;
const MIXED_SCRATCH: u64 = SCRATCH + (64 << 20);

const COS_VRF: u64 = 0;
const SIN_VRF: u64 = COS_VRF + HEAD_BYTES / 2;
const WEIGHT_VRF: u64 = 0;
const MASK_VRF: u64 = WEIGHT_VRF + SCORE_BYTES * 4;
const LARGEST_VRF: u64 = MASK_VRF + (Tok::SIZE * <Keys>::SIZE * 32) as u64;
const TOTAL_VRF: u64 = LARGEST_VRF + (Tok::SIZE * G::SIZE * 32) as u64;

// Queries, keys or values of all tokens, each head in a slice.
fn project<Slice: M, Place: M, Rest: M>(
    ctx: &mut Context,
    x: &DmTensor<bf16, Chip, HeadCluster, EmbSlice, m![Tok, { EmbPart }]>,
    w: &HbmTensor<bf16, Chip, m![{ HeadTiles }, { Rest }]>,
    gap: usize,
) -> DmTensor<f32, Chip, HeadCluster, Place, m![Tok, D]> {
    let mut sums: DmTensor<f32, Chip, HeadCluster, Slice, m![Tok, { HeadOfSlice }]> =
        unsafe { DmTensor::from_addr(SUMS_ADDRESS) };
    let mut tiles = first_tiles::<HeadCluster, Slice, HeadTiles, OneHeadTile, Rest, HeadRows, m![Emb]>(ctx, w);
    for tile in 0..<HeadTiles>::SIZE {
        let w = next_tile::<_, _, HeadTiles, OneHeadTile, Rest, HeadRows, m![Emb]>(ctx, w, &mut tiles, tile, HALVES);
        products::<_, _, EmbParts, EmbPart, _, _, _>(ctx, x, &w, 1)
            .commit_view(sums.view_mut().tile::<HeadTiles, 1, m![Tok, { OneHeadTile }, { HeadRows }]>(tile));
    }
    gather::<_, _, HeadOfSlice, HeadRing, _, m![D]>(ctx, &sums, gap, HEAD_ADDRESS)
}

fn load_angles<Slice: M>(
    ctx: &mut Context,
    angles: &Angles,
    at: &Positions,
    address: u64,
    vrf: u64,
) -> VrfTensor<f32, Chip, HeadCluster, Slice, m![Tok, { HalfHead }]> {
    let angles: DmTensor<f32, Chip, HeadCluster, Slice, m![Tok, { HalfHead }]> = angles.dma_gather(at, address);
    ctx.sub
        .begin(angles.view())
        .fetch::<f32, m![Tok, { HalfHead } / 8], m![D % 8]>()
        .collect::<m![Tok, { HalfHead } / 8], m![D % 8]>()
        .to_vrf(vrf)
}

// Rotary position embedding: both halves of a head, turned against each other.
fn turn<Slice: M>(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, HeadCluster, Slice, m![Tok, D]>,
    cos: &Angles,
    sin: &Angles,
    at: &Positions,
    address: u64,
) -> DmTensor<bf16, Chip, HeadCluster, Slice, m![Tok, D]> {
    let cos = load_angles::<Slice>(ctx, cos, at, COS_ADDRESS, COS_VRF);
    let sin = load_angles::<Slice>(ctx, sin, at, SIN_ADDRESS, SIN_VRF);
    let mut turned: DmTensor<bf16, Chip, HeadCluster, Slice, m![Tok, D]> = unsafe { DmTensor::from_addr(address) };
    for half in 0..2 {
        let (first, second, op) =
            if half == 0 { (&cos, &sin, FpBinaryOp::SubF) } else { (&sin, &cos, FpBinaryOp::AddF) };
        ctx.main
            .begin_interleaved::<Both, _, _, _, _, _>(
                x.view().tile::<HeadHalves, 1, HalfOfHead>(0),
                x.view().tile::<HeadHalves, 1, HalfOfHead>(1),
            )
            .fetch::<f32, m![Tok, { HalfHead } / 8, Both], m![D % 8]>()
            .collect::<m![Tok, { HalfHead } / 8, Both], m![D % 8]>()
            .vector_init()
            .vector_intra_slice_unzip::<Both, m![Tok, { HalfHead } / 8, 1 # 2], m![Tok, { HalfHead } / 8]>()
            .vector_split::<m![Tok, { HalfHead } / 4], m![D % 4]>()
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), first, second)
            .vector_fp_zip(op)
            .vector_concat::<m![Tok, { HalfHead } / 8], m![D % 8]>()
            .vector_final()
            .cast::<bf16, m![D % 8 # 16]>()
            .commit_view(turned.view_mut().tile::<HeadHalves, 1, HalfOfHead>(half));
    }
    turned
}

fn round<Slice: M>(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, HeadCluster, Slice, m![Tok, D]>,
) -> DmTensor<bf16, Chip, HeadCluster, Slice, m![Tok, D]> {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![Tok, D / 8], m![D % 8]>()
        .collect::<m![Tok, D / 8], m![D % 8]>()
        .cast::<bf16, m![D % 8 # 16]>()
        .commit(ROUNDED_VALUES)
}

// By Newton's iteration, since a constant cannot call `sqrt`. From a number above the root each step halves what it is
// off by, at least; near it the digits that are right double.
const fn inverse_root(number: f64) -> f32 {
    let mut root = number;
    let mut step = 0;
    while step < 64 {
        root = (root + number / root) / 2.0;
        step += 1;
    }
    (1.0 / root) as f32
}

const SCALE: f32 = inverse_root(D::SIZE as f64); // 1 / sqrt(D)

// q k^T / sqrt(D) + mask. The keys of a head are shared out over slices; all of these get all queries.
fn score(ctx: &mut Context, q: &QueryParts, keys: &CachePart, mask: &MaskPart) -> Scores {
    let keys: TrfTensor<bf16, Chip, HeadCluster, KeySlices, m![1], m![{ Keys }, D]> = ctx
        .sub
        .begin(keys.view())
        .fetch::<bf16, Keys, m![D]>()
        .collect::<m![{ Keys }, D / 16], m![D % 16]>()
        .to_trf(TrfAddress::FirstHalf);
    let mask: VrfTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, { Keys }, 1 # 8]> = ctx
        .sub
        .begin(mask.view())
        .fetch::<f32, m![Tok, { Keys }], m![1 # 2]>()
        .collect::<m![Tok, { Keys }], m![1 # 8]>()
        .to_vrf(MASK_VRF);
    let q: DmTensor<bf16, Chip, HeadCluster, KeySlices, m![Tok, { QueryIdle }, G, D]> = ctx
        .main
        .begin(q.view())
        .fetch::<bf16, m![Tok], m![D % 16]>()
        .switch::<KeySlices, m![Tok, { QueryIdle }, G, D / 16]>(ring(KeyCopy::SIZE, 1))
        .collect::<m![Tok, { QueryIdle }, G, D / 16], m![D % 16]>()
        .commit(QUERY_ADDRESS);
    ctx.main
        .begin(q.view())
        .fetch::<bf16, m![Tok, G, { Keys }], m![D]>()
        .collect::<m![Tok, G, { Keys }, D / 16], m![D % 16]>()
        .align::<m![Tok, G, { Keys }, D / 32], m![D % 32], _, _>(&keys)
        .contract::<m![1]>()
        .accumulate::<m![Tok, G, { Keys }], m![1 # 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), SCALE)
        .vector_fp_binary(FpBinaryOp::AddF, &mask)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(SCORE_ADDRESS)
}

// The largest score of a query, or the sum of its weights: over the keys of a slice, then over slices.
fn over_keys(
    ctx: &mut Context,
    scores: &Scores,
    of_slice: IntraSliceReduceOpF32,
    of_all: InterSliceReduceOpF32,
    address: u64,
) -> OnePerQuery {
    let found: DmTensor<f32, Chip, HeadCluster, KeySliceCopies, m![Tok, G, 1 # 2]> = ctx
        .main
        .begin(scores.view())
        .fetch::<f32, m![Tok, G, { Keys }], m![1 # 2]>()
        .collect::<m![Tok, G, { Keys }], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_intra_slice_reduce::<Key, m![Tok, G], m![1 # 4]>(of_slice)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_inter_slice_reduce::<KeySliceCopies, m![Tok, G]>(of_all)
        .vector_final()
        .commit(address);
    unsafe { found.reshape() }
}

fn softmax(ctx: &mut Context, scores: &Scores) -> ScoreOperand {
    let largest = over_keys(ctx, scores, IntraSliceReduceOpF32::Max, InterSliceReduceOpF32::Max, LARGEST_ADDRESS);
    let largest: QueryOperand = ctx
        .sub
        .begin(largest.view())
        .fetch::<f32, m![Tok, G], m![1 # 2]>()
        .collect::<m![Tok, G], m![1 # 8]>()
        .to_vrf(LARGEST_VRF);
    let weights: Scores = ctx
        .main
        .begin(scores.view())
        .fetch::<f32, m![Tok, G, { Keys }], m![1 # 2]>()
        .collect::<m![Tok, G, { Keys }], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::SubF, &largest)
        .vector_fp_unary(FpUnaryOp::Exp)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .commit(WEIGHT_ADDRESS);
    let total = over_keys(ctx, &weights, IntraSliceReduceOpF32::Add, InterSliceReduceOpF32::Add, TOTAL_ADDRESS);
    let inverse: QueryOperand = ctx
        .main
        .begin(total.view())
        .fetch::<f32, m![Tok, G], m![1 # 2]>()
        .collect::<m![Tok, G], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_div(FpDivBinaryOp::DivF.with_mode(BinaryArgMode::Mode10), 1.0f32)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(TOTAL_VRF);
    ctx.main
        .begin(weights.view())
        .fetch::<f32, m![Tok, G, { Keys }], m![1 # 2]>()
        .collect::<m![Tok, G, { Keys }], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_trim_way4::<m![1 # 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), &inverse)
        .vector_pad_way8::<m![1 # 8]>()
        .vector_final()
        .to_vrf(WEIGHT_VRF)
}

// Weighted values: those of a slice in the Vector Engine, then added up over slices.
fn mix(ctx: &mut Context, values: &CachePart, weights: &ScoreOperand) -> Heads {
    let mixed: DmTensor<bf16, Chip, HeadCluster, m![{ HeadsOfCluster }, { OneOfKeySlices }], m![Tok, G, D]> = ctx
        .main
        .begin(values.view())
        .fetch::<f32, m![Tok, G, D / 32, { Keys }, D / 8 % 4], m![D % 8]>()
        .collect::<m![Tok, G, D / 32, { Keys }, D / 8 % 4], m![D % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok, G, D / 32, { Keys }, D / 4 % 8], m![D % 4]>() // eight sums at a time
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), weights)
        .vector_intra_slice_reduce::<Key, m![Tok, G, D / 4], m![D % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Tok, G, D / 8], m![D % 8]>()
        .vector_inter_slice_reduce::<m![{ HeadsOfCluster }, { OneOfKeySlices }], m![Tok, G, D / 8]>(
            InterSliceReduceOpF32::Add,
        )
        .vector_final()
        .cast::<bf16, m![D % 8 # 16]>()
        .commit(MIXED_ADDRESS);
    mixed.to_hbm(&mut ctx.tdma, MIXED_SCRATCH)
}

// x + W_o mixed
fn project_out(
    ctx: &mut Context,
    x: &Hidden,
    mixed: &Heads,
    w_o: &OutMatrix,
    mut tiles: Vec<DmTensor<bf16, Chip, OutCluster, OutSlice, m![{ OutRows }, { AllHeads }]>>,
) -> Hidden {
    let mixed: DmTensor<bf16, Chip, OutCluster, HeadSlice, m![Tok, { HeadPart }]> =
        mixed.to_dm(&mut ctx.tdma, OUT_PARTS);
    let mut sums: DmTensor<f32, Chip, OutCluster, OutSlice, m![Tok, { OutOfSlice }]> =
        unsafe { DmTensor::from_addr(OUT_SUMS) };
    for tile in 0..<OutTiles>::SIZE {
        let w = next_tile::<_, _, OutTiles, OneOutTile, OutRest, OutRows, AllHeads>(ctx, w_o, &mut tiles, tile, HALVES);
        products::<_, _, HeadParts, HeadPart, _, _, _>(ctx, &mixed, &w, 1)
            .commit_view(sums.view_mut().tile::<OutTiles, 1, m![Tok, { OneOutTile }, { OutRows }]>(tile));
    }
    let sums = gather::<_, _, OutOfSlice, OutRing, OutPlace, OutOfRing>(ctx, &sums, 1, OUT_GATHERED);
    add_to::<_, _, OutOfRing>(ctx, x, &sums, OUT_ADDRESS, BEHIND)
}

#[device(chip = 1)]
pub fn attention(
    ctx: &mut Context,
    x: &Hidden,
    gain: &Gain,
    w_q: &QueryMatrix,
    w_k: &KeyMatrix,
    w_v: &KeyMatrix,
    w_o: &OutMatrix,
    cos: &Angles,
    sin: &Angles,
    at: &Positions,
    mask: &Mask,
    keys: &mut Cache,
    values: &mut Cache,
) -> Hidden {
    let normal = norm::<HeadCluster>(ctx, x, gain);
    let k = project::<KeySlice, KeyPlace, KeyRest>(ctx, &normal, w_k, KEY_GAP);
    let k = turn(ctx, &k, cos, sin, at, TURNED_KEYS);
    let v = project::<KeySlice, KeyPlace, KeyRest>(ctx, &normal, w_v, KEY_GAP);
    let v = round(ctx, &v);
    let q = project::<QuerySlice, QueryPlace, QueryRest>(ctx, &normal, w_q, 1);
    k.dma_scatter::<m![Tok], _, _>(at, keys, false); // not before the loads for q, which need not wait for k and v
    v.dma_scatter::<m![Tok], _, _>(at, values, false);
    let keys: CachePart = keys.to_dm(&mut ctx.tdma, KEY_ADDRESS);
    let values: CachePart = values.to_dm(&mut ctx.tdma, VALUE_ADDRESS);
    let mask: MaskPart = mask.to_dm(&mut ctx.tdma, MASK_ADDRESS);
    let q: Heads = turn(ctx, &q, cos, sin, at, TURNED_QUERIES).to_hbm(&mut ctx.tdma, Q_SCRATCH);
    let q: QueryParts = q.to_dm(&mut ctx.tdma, QUERY_PARTS);
    let tiles = first_tiles::<OutCluster, OutSlice, OutTiles, OneOutTile, OutRest, OutRows, AllHeads>(ctx, w_o);
    let scores = score(ctx, &q, &keys, &mask);
    let shares = softmax(ctx, &scores);
    let mixed = mix(ctx, &values, &shares);
    project_out(ctx, x, &mixed, w_o, tiles)
}
