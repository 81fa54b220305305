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
//! A query to a slice, with all its keys and all heads: the log of a slice is one row of 512 branches, and the stream
//! repeats it for each head. Numbers of keys are needed by all slices: 64 get a flit each, and the Switch Engine passes
//! them round.
//!
//! # Engines and memory
//!
//! DMA, Fetch (bf16 to f32), Switch, Collect, Vector (branches from VRF, fixed point, clip), Cast, Commit. In a slice
//! scores at 0, masked ones behind (8 KiB each), then keys and query; VRF 2 KiB of branches, and the query.
//!
//! # What bounds it
//!
//! HBM: 4 MiB in and out, 5,592 cycles at 1.5 TB/s. Predicted: 8,990, 62 % of what it could move. Scores take 3,231
//! each way, 500 of that to start; 2,013 are two loads of a few numbers that every slice needs. The log takes 69
//! cycles, hidden behind the load of scores; the pass 515, eight lanes at a time, with nothing to hide it, as there is
//! one tile. In an attention the mask is an operation of the softmax, and the log is there.
//!
//! # Sizes
//!
//! Head is free, as long as a slice holds Head x Key x 4 bytes. Queries are 512, one in each slice: for more of them,
//! loop over tiles. Key is 64 x any multiple of 8, up to 1536, what VRF holds beside the query; with 1024, `keys`, its
//! fetch and its switch say `Key / 16` and `Key % 16`. Other sizes are refused (E0107, E0505).
//!
//! # What to try
//!
//! - A window: keys that are too far in front are masked as well, by a second pass with another log.
//! - Numbers of keys eight times in HBM, as `norms.rs` has its columns: their load takes half as long.

use furiosa_visa_std::prelude::*;

axes![Head = 8, Part = 8, Line = 64, Key = 512];

type Chip = m![1];
type Query = m![Part, Line];
type Cluster = m![Part / 4];
type Slice = m![Part % 4, Line];
type Scores = DmTensor<bf16, Chip, Cluster, Slice, m![Head, Key]>;
type Branches = VrfTensor<i32, Chip, Cluster, Slice, m![Key]>;

const MASKED_ADDRESS: u64 = (Head::SIZE * Key::SIZE * 2) as u64; // behind the scores
const KEYS_ADDRESS: u64 = 2 * MASKED_ADDRESS;
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

#[device(chip = 1)]
fn causal_mask(
    ctx: &mut Context,
    scores: &HbmTensor<bf16, Chip, m![Head, { Query }, Key]>,
    queries: &HbmTensor<i32, Chip, m![{ Query }, 1 # 2]>,
    keys: &HbmTensor<i32, Chip, m![Key]>,
) -> HbmTensor<bf16, Chip, m![Head, { Query }, Key]> {
    let branches = log_branches(ctx, queries, keys);
    let scores: Scores = scores.to_dm(&mut ctx.tdma, 0);
    let masked: Scores = ctx
        .main
        .begin(scores.view())
        .fetch::<f32, m![Head, Key / 8], m![Key % 8]>()
        .collect::<m![Head, Key / 8], m![Key % 8]>()
        .vector_init()
        .vector_intra_slice_branch_with_vrf(&branches)
        .vector_clip(ClipBinaryOpF32::Min, (f32::NEG_INFINITY, GroupId::One))
        .vector_final()
        .cast::<bf16, m![Key % 8 # 16]>()
        .commit(MASKED_ADDRESS);
    masked.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

#[tokio::test]
async fn keys_behind_the_query_are_masked() {
    let mut ctx = Context::acquire();
    let queries = <Query>::SIZE;
    let score = |e: usize| ((e * 31) % 509) as f32 / 2.0 - 100.0;
    let size = Head::SIZE * queries * Key::SIZE;
    let scores: Vec<bf16> = (0..size).map(|e| bf16::from_f32(score(e))).collect();
    let scores_host = HostTensor::<bf16, m![Head, { Query }, Key]>::from_buf(scores.iter().map(|v| Opt::Init(*v)).collect());
    let queries_host = HostTensor::<i32, m![{ Query }, 1 # 2]>::from_buf((0..queries as i32).map(Opt::Init).collect());
    let keys_host = HostTensor::<i32, m![Key]>::from_buf((0..Key::SIZE as i32).map(Opt::Init).collect());
    let scores_hbm = scores_host.to_hbm(&mut ctx.pdma, 0).await;
    let queries_hbm = queries_host.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let keys_hbm = keys_host.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let masked = launch(causal_mask, (&mut *ctx, &scores_hbm, &queries_hbm, &keys_hbm)).await;
    let masked = masked.to_host::<m![Head, { Query }, Key]>(&mut ctx.pdma).await.to_buf();
    for e in (0..size).step_by(3) {
        let (query, key) = (e / Key::SIZE % queries, e % Key::SIZE);
        let expected = if key <= query { scores[e].to_f32() } else { f32::NEG_INFINITY };
        assert_eq!(masked[e].unwrap().to_f32(), expected, "query {query}, key {key}");
    }
}
