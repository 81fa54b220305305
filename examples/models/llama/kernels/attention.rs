//! The first half of a layer: what each token takes over from those before it.
//!
//!     q, k, v = turned projections of norm(x);   x + W_o softmax(q k^T / sqrt(D)) v

use super::*;

type OneHead = m![Tok, { HeadTiles }, { HeadRows }]; // of what a slice has: rows of both halves
type HalfOfHead = m![Tok, { OneHeadTile }, { HeadRows }];
type HeadOperand<Slice: M> = VrfTensor<f32, Chip, HeadCluster, Slice, m![Tok, { HeadRows } # 8]>;
type KeySlices = m![{ HeadsOfCluster }, { KeyPlaces }];
type KeySliceCopies = m![{ HeadsOfCluster }, KeyCopy];
type Scores = DmTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, { Keys }, 1 # 2]>;
type ScoreOperand = VrfTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, { Keys }, 1 # 8]>;
type OnePerQuery = DmTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, 1 # 2]>;
type QueryOperand = VrfTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, G, 1 # 8]>;

const HEAD_BYTES: u64 = (Tok::SIZE * <HeadTiles>::SIZE * <HeadRows>::SIZE * 4) as u64;
const SUMS_ADDRESS: u64 = FREE_ADDRESS; // of a projection
const TURNED_ADDRESS: u64 = SUMS_ADDRESS + HEAD_BYTES;
const COS_ADDRESS: u64 = TURNED_ADDRESS + HEAD_BYTES;
const SIN_ADDRESS: u64 = COS_ADDRESS + HEAD_BYTES;
const QUERY_PARTS: u64 = SIN_ADDRESS + HEAD_BYTES;
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
const OUT_ADDRESS: u64 = OUT_SUMS + (Tok::SIZE * <OutPart>::SIZE * 4) as u64;

const Q_SCRATCH: u64 = SCRATCH;
const MIXED_SCRATCH: u64 = SCRATCH + (64 << 20);

const COS_VRF: u64 = 0;
const SIN_VRF: u64 = COS_VRF + (Tok::SIZE * 32) as u64;
const WEIGHT_VRF: u64 = 0;
const MASK_VRF: u64 = WEIGHT_VRF + SCORE_BYTES * 4;
const LARGEST_VRF: u64 = MASK_VRF + (Tok::SIZE * <Keys>::SIZE * 32) as u64;
const TOTAL_VRF: u64 = LARGEST_VRF + (Tok::SIZE * G::SIZE * 32) as u64;

// Queries, keys or values of all tokens.
fn project<Slice: M, Rest: M>(
    ctx: &mut Context,
    x: &DmTensor<bf16, Chip, HeadCluster, EmbSlice, m![Tok, { EmbPart }]>,
    w: &HbmTensor<bf16, Chip, m![{ HeadTiles }, { Rest }]>,
) -> DmTensor<f32, Chip, HeadCluster, Slice, OneHead> {
    let mut sums: DmTensor<f32, Chip, HeadCluster, Slice, OneHead> = unsafe { DmTensor::from_addr(SUMS_ADDRESS) };
    for tile in 0..<HeadTiles>::SIZE {
        let w: TrfTensor<bf16, Chip, HeadCluster, Slice, HeadRows, m![Emb]> =
            load_tile::<_, _, HeadTiles, OneHeadTile, Rest, _, _>(ctx, w, tile, HALVES);
        products::<_, EmbIdle, EmbParts, EmbPart, _, _, _>(ctx, x, &w)
            .commit_view(sums.view_mut().tile::<HeadTiles, 1, HalfOfHead>(tile));
    }
    sums
}

fn load_angles<Slice: M>(
    ctx: &mut Context,
    from: &Angles,
    at: &Positions,
    address: u64,
    vrf: u64,
) -> HeadOperand<Slice> {
    let angles: DmTensor<f32, Chip, HeadCluster, Slice, m![Tok, { HeadRows }]> = from.dma_gather(at, address);
    ctx.sub
        .begin(angles.view())
        .fetch::<f32, m![Tok], HeadRows>()
        .collect::<m![Tok], m![{ HeadRows } # 8]>()
        .to_vrf(vrf)
}

// Rotary position embedding: both halves of a head, which a slice has rows of, turned against each other.
fn turn<Slice: M>(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, HeadCluster, Slice, OneHead>,
    cos: &Angles,
    sin: &Angles,
    at: &Positions,
) -> DmTensor<bf16, Chip, HeadCluster, Slice, OneHead> {
    let cos: HeadOperand<Slice> = load_angles(ctx, cos, at, COS_ADDRESS, COS_VRF);
    let sin: HeadOperand<Slice> = load_angles(ctx, sin, at, SIN_ADDRESS, SIN_VRF);
    let mut turned: DmTensor<bf16, Chip, HeadCluster, Slice, OneHead> = unsafe { DmTensor::from_addr(TURNED_ADDRESS) };
    for half in 0..2 {
        let (first, second, op) =
            if half == 0 { (&cos, &sin, FpBinaryOp::SubF) } else { (&sin, &cos, FpBinaryOp::AddF) };
        ctx.main
            .begin_interleaved::<Both, _, _, _, _, _>(
                x.view().tile::<HeadTiles, 1, HalfOfHead>(0),
                x.view().tile::<HeadTiles, 1, HalfOfHead>(1),
            )
            .fetch::<f32, m![Tok, Both], HeadRows>()
            .collect::<m![Tok, Both], m![{ HeadRows } # 8]>()
            .vector_init()
            .vector_intra_slice_unzip::<Both, m![Tok, 1 # 2], m![Tok]>()
            .vector_split::<m![Tok, 1 # 2], HeadRows>()
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), first, second)
            .vector_fp_zip(op)
            .vector_concat::<m![Tok], m![{ HeadRows } # 8]>()
            .vector_final()
            .cast::<bf16, m![{ HeadRows } # 16]>()
            .commit_view(turned.view_mut().tile::<HeadTiles, 1, HalfOfHead>(half));
    }
    turned
}

fn round<Slice: M>(
    ctx: &mut Context,
    x: &DmTensor<f32, Chip, HeadCluster, Slice, OneHead>,
) -> DmTensor<bf16, Chip, HeadCluster, Slice, OneHead> {
    ctx.main
        .begin(x.view())
        .fetch::<f32, m![Tok, { HeadTiles }], HeadRows>()
        .collect::<m![Tok, { HeadTiles }], m![{ HeadRows } # 8]>()
        .cast::<bf16, m![{ HeadRows } # 16]>()
        .commit(TURNED_ADDRESS)
}

// q k^T / sqrt(D) + mask. The keys of a head are shared out over slices; all of these get all queries.
fn score(ctx: &mut Context, q: &HbmTensor<bf16, Chip, m![Tok, Kv, G, D]>, keys: &Cache, mask: &Mask) -> Scores {
    let q: DmTensor<bf16, Chip, HeadCluster, m![{ HeadsOfCluster }, { QueryIdle }, G, D / 16], m![Tok, D % 16]> =
        q.to_dm(&mut ctx.tdma, QUERY_PARTS);
    let keys: DmTensor<bf16, Chip, HeadCluster, KeySlices, m![{ Keys }, D]> = keys.to_dm(&mut ctx.tdma, KEY_ADDRESS);
    let mask: DmTensor<f32, Chip, HeadCluster, KeySlices, m![Tok, { Keys }, 1 # 2]> =
        mask.to_dm(&mut ctx.tdma, MASK_ADDRESS);
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
        .switch::<KeySlices, m![Tok, { QueryIdle }, G, D / 16]>(ring(KeyCopy::SIZE))
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
fn mix(ctx: &mut Context, values: &Cache, weights: &ScoreOperand) -> HbmTensor<bf16, Chip, m![Tok, Kv, G, D]> {
    let values: DmTensor<bf16, Chip, HeadCluster, KeySlices, m![{ Keys }, D]> =
        values.to_dm(&mut ctx.tdma, VALUE_ADDRESS);
    let mixed: DmTensor<bf16, Chip, HeadCluster, m![{ HeadsOfCluster }, { OneOfKeySlices }], m![Tok, G, D]> = ctx
        .main
        .begin(values.view())
        .fetch::<f32, m![Tok, G, { Keys }, D / 8], m![D % 8]>()
        .collect::<m![Tok, G, { Keys }, D / 8], m![D % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok, G, { Keys }, D / 4], m![D % 4]>()
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
    let k = project::<KeySlice, KeyRest>(ctx, &normal, w_k);
    turn(ctx, &k, cos, sin, at).dma_scatter::<m![Tok], _, _>(at, keys, false);
    let v = project::<KeySlice, KeyRest>(ctx, &normal, w_v);
    round(ctx, &v).dma_scatter::<m![Tok], _, _>(at, values, false);
    let q = project::<QuerySlice, QueryRest>(ctx, &normal, w_q);
    let q = turn(ctx, &q, cos, sin, at).to_hbm(&mut ctx.tdma, Q_SCRATCH);
    let scores = score(ctx, &q, keys, mask);
    let shares = softmax(ctx, &scores);
    let mixed = mix(ctx, values, &shares);

    let mixed: DmTensor<bf16, Chip, OutCluster, m![{ HeadIdle }, { HeadParts }], m![Tok, { HeadPart }]> =
        mixed.to_dm(&mut ctx.tdma, OUT_PARTS);
    let mut sums: DmTensor<f32, Chip, OutCluster, OutSlice, m![Tok, { OutPart }]> =
        unsafe { DmTensor::from_addr(OUT_SUMS) };
    for tile in 0..<OutTiles>::SIZE {
        let w: TrfTensor<bf16, Chip, OutCluster, OutSlice, OutRows, m![Kv, G, D]> =
            load_tile::<_, _, OutTiles, OneOutTile, OutRest, _, _>(ctx, w_o, tile, HALVES);
        products::<_, HeadIdle, HeadParts, HeadPart, _, _, _>(ctx, &mixed, &w)
            .commit_view(sums.view_mut().tile::<OutTiles, 1, m![Tok, { OneOutTile }, { OutRows }]>(tile));
    }
    add_to::<_, _, OutPart>(ctx, x, &sums, OUT_ADDRESS, BEHIND)
}
