//! Running sums: y[b, t, l] = sum of x[b, f, l] over f <= t. In a mixture of experts they say where each token goes.
//!
//! A stream has no memory of what went by, but it can be read again: for every t (`To`) the Fetch Engine sends all f
//! (`From`), as a target axis that the source lacks is repeated. Of these the ones behind t are set to 0, then the
//! reduction adds up. Which ones these are is not in the data: the branch of each element comes from VRF
//! (`vector_intra_slice_branch_with_vrf`), as a log of 32 x 32 ids that is the same for all blocks and lanes. Bit 3 of
//! an id is the group: 8 where f > t. The operation `& 0` is for group One only.
//!
//! # Mapping
//!
//! A block of 32 x 8 numbers to a slice; f and t in time, lanes in the packet. 512 blocks, one in each slice, are a
//! tile (`Group` counts them): while DMA brings tile t + 1 and stores tile t - 1, the pass works on tile t. The load of
//! the next tile stands in front of the store of this one, which waits for the pass and holds up all behind it.
//!
//! 32 slices get one row of the log each, and the Switch Engine passes them round; a block is named by four axes
//! because what is passed round must have other names than the slices that get it (as in `norms.rs`).
//!
//! # Engines and memory
//!
//! DMA, Fetch (with repetition), Switch, Collect, Vector (branches from VRF, logic, narrow, intra-slice reduce, widen),
//! Commit. In a slice two tiles of x, in turn, and two of y (1 KiB each), then a row of the log; VRF 4 KiB.
//!
//! # What bounds it
//!
//! The Vector Engine. Each number is read 32 times, and reductions take four lanes at a time: 32 x 32 x 2 = 2,048
//! steps in a slice for a tile, 8,192 of 10,718 cycles in all; HBM would take 2,796. What is left are 836 for the log,
//! 841 to load the first tile and as many to store the last one: all else of DMA is hidden. Each further tile takes
//! 2,050. This is for short blocks. Longer sums: those of blocks first, then the last ones of each block as a block of
//! their own, then both added.
//!
//! # Sizes
//!
//! Group is free, as many tiles as `OneTile` says. Lane is 8, 16 or 24. With more (any multiple of 8, up to 1,016,
//! which fills DM) a pass reads one bank of DM so many times in a row that DMA must wait for its end: 52,476 cycles
//! with 32 lanes, and 35,318 with a group for every eight of them, Group = 16 and Lane = 8. From, To and Line are
//! alike, 32 (each slice of a ring has a row of the log), and Eighth is 256 / Line; or all four are 16, with 7,223
//! cycles for half of the numbers. With 64 the log, 4 x From x To bytes, is more than VRF holds. Sums saturate. Other
//! sizes are refused.
//!
//! # What to try
//!
//! - Where x has at most 8 bits, a product with a triangle of ones takes 1/64 of the steps: `contract` has 64 lanes,
//!   and eight rows of t at a time.
//! - Sums of what comes behind: `f < t` in the log.

use furiosa_visa_std::prelude::*;

axes![Group = 4, Half = 2, Eighth = 8, Line = 32, From = 32, To = 32, Lane = 8];

type Chip = m![1];
type Tile = m![Half, Eighth, Line]; // blocks, one in each of the 512 slices
type Block = m![Group, { Tile }];
type OneTile = m![1 # 4]; // of Group
type Cluster = m![Half];
type Slice = m![Eighth, Line];
type Numbers = DmTensor<i32, Chip, Cluster, Slice, m![From, Lane]>; // of a tile
type Sums = DmTensor<i32, Chip, Cluster, Slice, m![To, Lane]>; // likewise
type Log = VrfTensor<i32, Chip, Cluster, Slice, m![To, From]>;

const TILES: usize = Group::SIZE;
const TILE_BYTES: u64 = (From::SIZE * Lane::SIZE * 4) as u64;
const X_ADDRESS: u64 = 0; // two tiles, in turn
const Y_ADDRESS: u64 = X_ADDRESS + 2 * TILE_BYTES; // two, likewise
const LOG_ADDRESS: u64 = Y_ADDRESS + 2 * TILE_BYTES;

// The whole log to each slice.
fn load_log(ctx: &mut Context, log: &HbmTensor<i32, Chip, m![To, From]>) -> Log {
    let log: DmTensor<i32, Chip, Cluster, m![Eighth, To], m![From]> = log.to_dm(&mut ctx.tdma, LOG_ADDRESS);
    ctx.sub
        .begin(log.view())
        .fetch::<i32, m![1], m![From]>()
        .switch::<Slice, m![To]>(SwitchConfig::Broadcast01 { slice1: Line::SIZE, slice0: 1, time0: 1 })
        .collect::<m![To, From / 8], m![From % 8]>()
        .to_vrf(0)
}

fn load(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![{ Block }, From, Lane]>, tile: usize) -> Numbers {
    x.view()
        .tile::<m![Group], 1, m![{ OneTile }, { Tile }, From, Lane]>(tile)
        .to_dm(&mut ctx.tdma, X_ADDRESS + (tile % 2) as u64 * TILE_BYTES)
}

fn add_up(ctx: &mut Context, x: &Numbers, log: &Log, tile: usize) -> Sums {
    ctx.main
        .begin(x.view())
        .fetch::<i32, m![Lane / 8, To, From], m![Lane % 8]>() // To is new: all of x, again and again
        .collect::<m![Lane / 8, To, From], m![Lane % 8]>()
        .vector_init()
        .vector_intra_slice_branch_with_vrf(log)
        .vector_logic(LogicBinaryOpI32::BitAnd, (0, GroupId::One))
        .vector_split::<m![Lane / 8, To, From, Lane / 4 % 2], m![Lane % 4]>()
        .vector_intra_slice_reduce::<From, m![Lane / 8, To, Lane / 4 % 2], m![Lane % 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_concat::<m![Lane / 8, To], m![Lane % 8]>()
        .vector_final()
        .commit(Y_ADDRESS + (tile % 2) as u64 * TILE_BYTES)
}

#[device(chip = 1)]
fn cumulative_sum(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![{ Block }, From, Lane]>,
    log: &HbmTensor<i32, Chip, m![To, From]>,
    y: &mut HbmTensor<i32, Chip, m![{ Block }, To, Lane]>,
) {
    let log = load_log(ctx, log);
    let mut next = load(ctx, x, 0);
    for tile in 0..TILES {
        let now = next;
        if tile + 1 < TILES {
            next = load(ctx, x, tile + 1); // in front of the store below, which waits for the pass
        }
        let sums = add_up(ctx, &now, &log, tile);
        sums.view().to_hbm_view(
            &mut ctx.tdma,
            y.view_mut().tile::<m![Group], 1, m![{ OneTile }, { Tile }, To, Lane]>(tile),
        );
    }
}

// ---- the host

async fn run(x: &Vec<i32>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i32, m![{ Block }, From, Lane]>::from_buf(x.iter().map(|v| Opt::Init(*v)).collect());
    let log = HostTensor::<i32, m![To, From]>::from_buf(
        (0..To::SIZE * From::SIZE).map(|e| Opt::Init(if e % From::SIZE > e / From::SIZE { 8 } else { 0 })).collect(),
    );
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let log = log.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut y = unsafe { HbmTensor::<i32, Chip, m![{ Block }, To, Lane]>::from_addr(1 << 30) };
    launch(cumulative_sum, (&mut *ctx, &x, &log, &mut y)).await;
    y.to_host::<m![{ Block }, To, Lane]>(&mut ctx.pdma).await.to_buf().into_iter().map(|v| v.unwrap()).collect()
}

#[tokio::test]
async fn each_sum_has_what_was_before() {
    let x: Vec<i32> = (0..<Block>::SIZE * From::SIZE * Lane::SIZE).map(|e| (e * 7919 % 2003) as i32 - 1000).collect();
    let y = run(&x).await;
    for block in (0..<Block>::SIZE).step_by(37) {
        for lane in 0..Lane::SIZE {
            let mut sum = 0;
            for t in 0..To::SIZE {
                let at = (block * To::SIZE + t) * Lane::SIZE + lane;
                sum += x[at];
                assert_eq!(y[at], sum, "block {block}, step {t}, lane {lane}");
            }
        }
    }
}

// One-hot rows, as of tokens that chose an expert: how many chose the same one before, and with it.
#[tokio::test]
async fn counts_tokens_of_experts() {
    let expert = |token: usize| (token * token + token / 32) % Lane::SIZE;
    let x: Vec<i32> = (0..<Block>::SIZE * From::SIZE * Lane::SIZE)
        .map(|e| if e % Lane::SIZE == expert(e / Lane::SIZE) { 1 } else { 0 })
        .collect();
    let y = run(&x).await;
    for token in (0..<Block>::SIZE * To::SIZE).step_by(101) {
        let first = token / To::SIZE * To::SIZE;
        let count = (first..token + 1).filter(|&t| expert(t) == expert(token)).count();
        assert_eq!(y[token * Lane::SIZE + expert(token)], count as i32, "token {token}");
    }
}
