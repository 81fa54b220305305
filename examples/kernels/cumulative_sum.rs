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
//! A block of 32 x 8 numbers to a slice, four in each; f and t in time, lanes in the packet. 32 slices get one row of
//! the log each, and the Switch Engine passes them round; a block is named by four axes because what is passed round
//! must have other names than the slices that get it (as in `norms.rs`).
//!
//! # Engines and memory
//!
//! DMA, Fetch (with repetition), Switch, Collect, Vector (branches from VRF, logic, narrow, intra-slice reduce, widen),
//! Commit. In a slice x at 0 and y at 0x4000 (4 KiB each), a row of the log at 0x8000; VRF 4 KiB.
//!
//! # What bounds it
//!
//! The Vector Engine. Each number is read 32 times, and reductions take four lanes at a time: 4 blocks x 32 x 32 x 2 =
//! 8,192 steps in a slice, of 12,904 cycles in all; HBM would take 2,796. What is left are 1,865 to load x and as many
//! to store y, 980 for the log. With the four blocks of a slice in four tiles all but the first load and the last store
//! would be hidden, some 2,000 cycles less. This is for short blocks. Longer sums: those of blocks first, then the last
//! ones of each block as a block of their own, then both added.
//!
//! # Sizes
//!
//! Group is free, up to 16 here. From and To are 32, as many as slices in a ring (Line); the log has 4 x From x To
//! bytes of VRF, 8 KiB at most. Lane is any multiple of 8, with the 8 innermost in the packet. Sums saturate. Other
//! sizes are refused (E0107, E0505).
//!
//! # What to try
//!
//! - Where x has at most 8 bits, a product with a triangle of ones takes 1/64 of the steps: `contract` has 64 lanes,
//!   and eight rows of t at a time.
//! - Sums of what comes behind: `f < t` in the log.

use furiosa_visa_std::prelude::*;

axes![Group = 4, Half = 2, Eighth = 8, Line = 32, From = 32, To = 32, Lane = 8];

type Chip = m![1];
type Block = m![Group, Half, Eighth, Line]; // one in each of the 512 slices, then the next group
type Cluster = m![Half];
type Slice = m![Eighth, Line];

const X_ADDRESS: u64 = 0;
const Y_ADDRESS: u64 = 0x4000;
const LOG_ADDRESS: u64 = 0x8000;

#[device(chip = 1)]
fn cumulative_sum(
    ctx: &mut Context,
    x: &HbmTensor<i32, Chip, m![{ Block }, From, Lane]>,
    log: &HbmTensor<i32, Chip, m![To, From]>,
) -> HbmTensor<i32, Chip, m![{ Block }, To, Lane]> {
    let x: DmTensor<i32, Chip, Cluster, Slice, m![Group, From, Lane]> = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let log: DmTensor<i32, Chip, Cluster, m![Eighth, To], m![From]> = log.to_dm(&mut ctx.tdma, LOG_ADDRESS);
    let log: VrfTensor<i32, Chip, Cluster, Slice, m![To, From]> = ctx
        .sub
        .begin(log.view())
        .fetch::<i32, m![1], m![From]>()
        .switch::<Slice, m![To]>(SwitchConfig::Broadcast01 { slice1: 32, slice0: 1, time0: 1 })
        .collect::<m![To, From / 8], m![From % 8]>()
        .to_vrf(0);
    let y: DmTensor<i32, Chip, Cluster, Slice, m![Group, To, Lane]> = ctx
        .main
        .begin(x.view())
        .fetch::<i32, m![Group, To, From], m![Lane]>() // To is new: all of x, again and again
        .collect::<m![Group, To, From], m![Lane]>()
        .vector_init()
        .vector_intra_slice_branch_with_vrf(&log)
        .vector_logic(LogicBinaryOpI32::BitAnd, (0, GroupId::One))
        .vector_split::<m![Group, To, From, Lane / 4], m![Lane % 4]>()
        .vector_intra_slice_reduce::<From, m![Group, To, Lane / 4], m![Lane % 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_concat::<m![Group, To], m![Lane]>()
        .vector_final()
        .commit(Y_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
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
    let y = launch(cumulative_sum, (&mut *ctx, &x, &log)).await;
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
