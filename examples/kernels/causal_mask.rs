//! A causal mask: no query sees a key behind it. y[h, q, k] = x[h, q, k] if k <= q, else minus infinity.
//!
//! Which elements are changed is no matter of their values, so no comparison can tell. But the Vector Engine takes the
//! branch of each element from VRF as well, and a former pass can have written it there: the keys' numbers, less that
//! of the query (each slice has one), are above 0 where the key comes behind. Times 8 and clipped to 0..8 that is an
//! execution id: bit 3 is the group. This log of branches serves all heads, and all layers of a model. The pass that
//! follows has one operation, which only elements of group One take: the smaller one of x and minus infinity.
//!
//! # Mapping
//!
//! A query to a slice, with all its keys: the log of a slice is one row of 512 branches, and the stream repeats it for
//! each head. Heads come in tiles of 8. While DMA brings tile t + 1 the pass works on tile t; and the load of the next
//! tile stands in front of the store of this one, which waits for the pass and holds up all behind it. Numbers of keys
//! are needed by all slices: 64 get a flit each, and the Switch Engine passes them round.
//!
//! # Engines and memory
//!
//! DMA, Fetch (bf16 to f32), Switch, Collect, Vector (branches from VRF, fixed point, clip), Cast, Commit. In a slice
//! two tiles of scores, in turn, and two of masked ones (8 KiB each), then keys and query; VRF 2 KiB of branches, and
//! the query.
//!
//! # What bounds it
//!
//! HBM: 8 MiB in and out, 11,184 cycles at 1.5 TB/s. Predicted: 14,937, 75 % of what it could move. All of that is DMA,
//! without a gap: a tile takes 3,231 each way, 500 of that to start; 2,013 are two loads of a few numbers that every
//! slice needs. The log, 69 cycles, and the passes, 515 for a tile, eight lanes at a time, are hidden. Each further
//! tile takes 6,462; with tiles twice as large, and two of them, it is 87 %. In an attention the mask is an operation
//! of the softmax, and the log is there.
//!
//! # Sizes
//!
//! Head is any multiple of 8, as many tiles as `OneTile` says; a tile (`Tiles` and `Tile`) can have other numbers of
//! heads, as long as a slice holds heads x Key x 8 bytes. Queries are 512, one in each slice: more of them are tiles
//! with a log of their own. Key is 512, 1024 or 1536, since 64 slices have whole flits of numbers and VRF holds no more
//! beside the query; with 1024, `keys`, its fetch and its switch say `Key / 16` and `Key % 16`, with 1536 24 in place
//! of 16: 30,328 and 46,680 cycles. Other sizes are refused.
//!
//! # What to try
//!
//! - A window: keys that are too far in front are masked as well, by a second pass with another log.
//! - The load of the next tile behind the store of this one: 15,967 cycles, as DMA waits for the passes.
//! - Numbers of keys eight times in HBM, as `norms.rs` has its columns: their load takes half as long.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![Head = 16, Part = 8, Line = 64, Key = 512];

type Chip = m![1];
type Query = m![Part, Line];
type Cluster = m![Part / 4];
type Slice = m![Part % 4, Line];
type Tiles = m![Head / 8];
type Tile = m![Head % 8];
type OneTile = m![1 # 2]; // of all
type Scores = DmTensor<bf16, Chip, Cluster, Slice, m![{ Tile }, Key]>; // of a tile
type Branches = VrfTensor<i32, Chip, Cluster, Slice, m![Key]>;

const TILES: usize = <Tiles>::SIZE;
const TILE_BYTES: u64 = (<Tile>::SIZE * Key::SIZE * 2) as u64;
const SCORE_ADDRESS: u64 = 0; // two tiles, in turn
const MASKED_ADDRESS: u64 = SCORE_ADDRESS + 2 * TILE_BYTES; // two, likewise
const KEYS_ADDRESS: u64 = MASKED_ADDRESS + 2 * TILE_BYTES;
const QUERY_ADDRESS: u64 = KEYS_ADDRESS + (Key::SIZE / Line::SIZE * 4) as u64;
const QUERY_VRF: u64 = (Key::SIZE * 4) as u64; // behind the branches

// Which branch each key takes: 8, group One, where it comes behind the query of the slice; otherwise 0.
fn log_branches(
    ctx: &mut Context,
    queries: &HbmTensor<i32, Chip, m![{ Query }, 1 # 2]>,
    keys: &HbmTensor<i32, Chip, m![Key]>,
) -> Branches {
    let query: DmTensor<i32, Chip, Cluster, Slice, m![1 # 2]> = queries.to_dm(&mut ctx.tdma, QUERY_ADDRESS);
    let query: VrfTensor<i32, Chip, Cluster, Slice, m![1 # 8]> =
        ctx.sub.begin(query.view()).fetch::<i32, m![1], m![1 # 2]>().collect::<m![1], m![1 # 8]>().to_vrf(QUERY_VRF);
    let keys: DmTensor<i32, Chip, Cluster, m![Part % 4, Key / 8], m![Key % 8]> = keys.to_dm(&mut ctx.tdma, KEYS_ADDRESS);
    ctx.main
        .begin(keys.view())
        .fetch::<i32, m![1], m![Key % 8]>()
        .switch::<Slice, m![Key / 8]>(SwitchConfig::Broadcast01 { slice1: 64, slice0: 1, time0: 1 })
        .collect::<m![Key / 8], m![Key % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxp, &query)
        .vector_fxp(FxpBinaryOp::LeftShift, 3)
        .vector_clip(ClipBinaryOpI32::Max, 0)
        .vector_clip(ClipBinaryOpI32::Min, 8)
        .vector_final()
        .to_vrf(0)
}

fn load(ctx: &mut Context, scores: &HbmTensor<bf16, Chip, m![Head, { Query }, Key]>, tile: usize) -> Scores {
    scores
        .view()
        .tile::<Tiles, 1, m![{ OneTile }, { Tile }, { Query }, Key]>(tile)
        .to_dm(&mut ctx.tdma, SCORE_ADDRESS + (tile % 2) as u64 * TILE_BYTES)
}

fn mask(ctx: &mut Context, scores: &Scores, branches: &Branches, tile: usize) -> Scores {
    ctx.main
        .begin(scores.view())
        .fetch::<f32, m![{ Tile }, Key / 8], m![Key % 8]>()
        .collect::<m![{ Tile }, Key / 8], m![Key % 8]>()
        .vector_init()
        .vector_intra_slice_branch_with_vrf(branches)
        .vector_clip(ClipBinaryOpF32::Min, (f32::NEG_INFINITY, GroupId::One))
        .vector_final()
        .cast::<bf16, m![Key % 8 # 16]>()
        .commit(MASKED_ADDRESS + (tile % 2) as u64 * TILE_BYTES)
}

#[device(chip = 1)]
fn causal_mask(
    ctx: &mut Context,
    scores: &HbmTensor<bf16, Chip, m![Head, { Query }, Key]>,
    queries: &HbmTensor<i32, Chip, m![{ Query }, 1 # 2]>,
    keys: &HbmTensor<i32, Chip, m![Key]>,
    y: &mut HbmTensor<bf16, Chip, m![Head, { Query }, Key]>,
) {
    let branches = log_branches(ctx, queries, keys);
    let mut next = load(ctx, scores, 0);
    for tile in 0..TILES {
        let now = next;
        if tile + 1 < TILES {
            next = load(ctx, scores, tile + 1); // in front of the store below, which waits for the pass
        }
        let masked = mask(ctx, &now, &branches, tile);
        masked.view().to_hbm_view(
            &mut ctx.tdma,
            y.view_mut().tile::<Tiles, 1, m![{ OneTile }, { Tile }, { Query }, Key]>(tile),
        );
    }
}

// ---- the host

#[tokio::test]
async fn keys_behind_the_query_are_masked() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let queries = <Query>::SIZE;
    let scores = HostTensor::<bf16, m![Head, { Query }, Key]>::rand(&mut rng);
    let queries_host = HostTensor::<i32, m![{ Query }, 1 # 2]>::from_buf((0..queries as i32).map(Opt::Init).collect());
    let keys_host = HostTensor::<i32, m![Key]>::from_buf((0..Key::SIZE as i32).map(Opt::Init).collect());
    let scores_hbm = scores.to_hbm(&mut ctx.pdma, 0).await;
    let queries_hbm = queries_host.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let keys_hbm = keys_host.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let mut masked = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(causal_mask, (&mut *ctx, &scores_hbm, &queries_hbm, &keys_hbm, &mut masked)).await;
    let masked = masked.to_host::<m![Head, { Query }, Key]>(&mut ctx.pdma).await.to_buf();
    let scores = scores.to_buf();
    for e in (0..Head::SIZE * queries * Key::SIZE).step_by(17) {
        let (query, key) = (e / Key::SIZE % queries, e % Key::SIZE);
        let expected = if key <= query { scores[e].unwrap().to_f32() } else { f32::NEG_INFINITY };
        assert_eq!(masked[e].unwrap().to_f32(), expected, "query {query}, key {key}");
    }
}
