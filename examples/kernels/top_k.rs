//! The best experts of each token, without a branch: how a router chooses.
//!
//! For each token the Top experts with the largest scores, in the order of experts; of equal scores the first. All
//! slices execute the same commands whatever the scores are, so nothing is sorted. Instead:
//!
//! 1. pack: score and place in one word of 32 bits, word[e] = fixed(score[e]) x 64 + (63 - e). Fixed point orders as
//!    numbers do, below zero, too; the place breaks ties, so that no two words of a token are alike.
//! 2. rank: rank[e] = how many words of the token are larger. All with all, 64 x 64 differences, whose sign bits are
//!    added up.
//! 3. filter: words whose rank is below Top move up, in their order; all others are gone.
//! 4. unpack: the low bits are the place, the rest is the score.
//!
//! # Mapping
//!
//! A slice has eight tokens that follow each other, so that what it finds of them is 256 bytes that follow each other,
//! a unit of HBM. Tokens are in time. While ranking, eight experts are in the lanes and the one to compare with is in
//! VRF, one number for all lanes: `m![Other, 1 # 8]`. It is called `Other`, since a stream cannot have `Expert` twice;
//! `reshape` calls the same bytes by the other name. To have one number in a flit it must lie in 8 bytes of its own:
//! the Transpose Engine spreads eight that lie side by side (`apart`), and brings results together again, two by two.
//!
//! A filter passes packets, not lanes, and a packet with padding in its lanes would pass for its padding (E0775). So
//! each rank gets a packet in which all eight lanes have it.
//!
//! # Engines and memory
//!
//! DMA, Fetch (bf16 to f32), Collect, Vector (branch, logic, fixed point, narrow, intra-slice reduce, widen,
//! conversion, clip, filter), Transpose, Commit; the sub context loads VRF for the next token while main works on this
//! one. In a slice 21 KiB of words, ranks and results. VRF: 2 KiB for the others of a token, twice; then ranks and
//! words of a token, twice, all 8 KiB.
//!
//! # What bounds it
//!
//! The Vector Engine: 64 x 64 comparisons of 8 tokens, four lanes a cycle, are 8,192 cycles of 13,187; the passes that
//! rank take 8,216. Before them go 1,426 for scores and places from HBM, 98 to pack and 577 to spread the words; behind
//! them 577 to spread the ranks, eight times 132 to filter, 67 to unpack, 1,170 for the results. HBM is at 5 %. Each
//! token more in a slice takes some 1,300 cycles, of which 11 are DMA.
//!
//! All with all is E^2 where sorting is E log E, but 64 x 64 is 1,027 cycles, no data decides anything, and the passes
//! before and behind it are a fifth of the whole.
//!
//! # Sizes
//!
//! `Tok` is 512 slices x any number, which stands as 8 (`Tok % 8`, `1 # 8` in `OneToken`, 2048 = 256 x 8). `Expert` is
//! any multiple of 8 up to 64, for which VRF is full; `Other` is the same number, and `FirstEight` says how many times
//! 8 it is. `Top` is any even number up to that, and `Kept` says the same. `INDEX_BITS` are enough bits for Expert.
//! Scores between -32 and 32 (`INTEGER_BITS`) are told apart to 2^-20; what is beyond counts as the limit, and ties go
//! by place. Scores must not be NaN. What does not fit is refused (E0107, E0454, E0505, E0521, E0526,
//! E0644).
//!
//! # What to try
//!
//! - Results in the order of scores: a pass for each rank that keeps the word of that rank (`Equal` in place of `Less`)
//!   and takes the largest of all.
//! - Top = 2: not a cycle changes in ranking, but a slice has 64 bytes of results, part of a unit of HBM, and the
//!   stores take 8,316 cycles more. In a model results stay in DM.
//! - Read the words 8 bytes further apart, as `contra schedule` advises: while a pass reads eight words 64 times over,
//!   one bank of DM has no time for DMA. Here DMA has nothing to do.

use furiosa_visa_std::prelude::*;

axes![Tok = 4096, Expert = 64, Other = 64, Top = 8];

type Chip = m![1];
type Cluster = m![Tok / 2048];
type Slice = m![Tok / 8 % 256];
type Steps = m![Tok % 8, Expert / 8]; // eight tokens of a slice, eight experts at a time
type OneToken = m![1 # 8]; // of Tok % 8
type Kept = m![Expert = 8]; // as many as Top
type FirstEight = m![1 # 8, Other % 8]; // of Other / 8
type Numbers = DmTensor<i32, Chip, Cluster, Slice, m![Tok % 8, Expert]>;
type Apart = DmTensor<i32, Chip, Cluster, Slice, m![Tok % 8, Expert, 1 # 2]>;
type Others = DmTensor<i32, Chip, Cluster, Slice, m![Tok % 8, Other, 1 # 2]>; // the same, by another name
type OnePerExpert = VrfTensor<i32, Chip, Cluster, Slice, m![Expert, 1 # 8]>;
type Found = DmTensor<i32, Chip, Cluster, Slice, m![Tok % 8, Top, 1 # 8]>;

const TOKENS: usize = <m![Tok % 8]>::SIZE; // of a slice
const INDEX_BITS: u32 = 6; // for up to 64 experts
const INTEGER_BITS: u32 = 5; // for scores between -32 and 32
const POINT: u32 = INTEGER_BITS + INDEX_BITS; // bits in front of the binary point of 31
const MOST: i32 = (1 << (31 - INDEX_BITS)) - 1; // of a score, in fixed point
const LAST: i32 = Expert::SIZE as i32 - 1;
const _: () = assert!(Expert::SIZE <= 1 << INDEX_BITS, "INDEX_BITS are too few for Expert");
const _: () = assert!(Other::SIZE == Expert::SIZE, "Other is Expert once more");

const NUMBER_BYTES: u64 = (TOKENS * Expert::SIZE * 4) as u64;
const FOUND_BYTES: u64 = (TOKENS * Top::SIZE * 4) as u64;
const SCORES_ADDRESS: u64 = 0;
const PLACES_ADDRESS: u64 = SCORES_ADDRESS + NUMBER_BYTES / 2;
const FIXED_ADDRESS: u64 = PLACES_ADDRESS + (Expert::SIZE * 4) as u64;
const WORDS_ADDRESS: u64 = FIXED_ADDRESS + NUMBER_BYTES;
const APART_ADDRESS: u64 = WORDS_ADDRESS + NUMBER_BYTES;
const RANKS_ADDRESS: u64 = APART_ADDRESS + 2 * NUMBER_BYTES;
const RANKS_APART_ADDRESS: u64 = RANKS_ADDRESS + NUMBER_BYTES;
const LANES_ADDRESS: u64 = RANKS_APART_ADDRESS + 2 * NUMBER_BYTES; // of two tokens, in turn
const LANES_BYTES: u64 = (Expert::SIZE * 32) as u64;
const FOUND_ADDRESS: u64 = LANES_ADDRESS + 2 * LANES_BYTES;
const INDEX_ADDRESS: u64 = FOUND_ADDRESS + 8 * FOUND_BYTES;
const BEST_ADDRESS: u64 = INDEX_ADDRESS + FOUND_BYTES;

const VRF_BYTES: u64 = (Expert::SIZE * 32) as u64; // one number for each expert; four of them fill VRF

// Score and place in one word: the score in fixed point, and below it how many experts come after this one.
fn pack(
    ctx: &mut Context,
    scores: &DmTensor<bf16, Chip, Cluster, Slice, m![Tok % 8, Expert]>,
    places: &VrfTensor<i32, Chip, Cluster, Slice, m![Expert]>,
) -> Numbers {
    let fixed: Numbers = ctx
        .main
        .begin(scores.view())
        .fetch::<f32, Steps, m![Expert % 8]>()
        .collect::<Steps, m![Expert % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fp_to_fxp(POINT)
        .vector_clip(ClipBinaryOpI32::Min, MOST)
        .vector_clip(ClipBinaryOpI32::Max, -MOST)
        .vector_final()
        .commit(FIXED_ADDRESS);
    ctx.main
        .begin(fixed.view())
        .fetch::<i32, Steps, m![Expert % 8]>()
        .collect::<Steps, m![Expert % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::LeftShift, INDEX_BITS as i32)
        .vector_logic(LogicBinaryOpI32::BitOr, places)
        .vector_final()
        .commit(WORDS_ADDRESS)
}

// Numbers that lie side by side, each in 8 bytes of its own: so that a flit of VRF can have one, for all lanes.
fn apart(ctx: &mut Context, numbers: &Numbers, address: u64) -> Apart {
    ctx.main
        .begin(numbers.view())
        .fetch::<i32, Steps, m![Expert % 8]>()
        .collect::<Steps, m![Expert % 8]>()
        .transpose::<m![Tok % 8, Expert], m![1 # 8]>()
        .commit(address)
}

// Those of a token to VRF.
fn to_vrf(ctx: &mut Context, numbers: &Apart, token: usize, vrf: u64) -> OnePerExpert {
    ctx.sub
        .begin(numbers.view().tile::<m![Tok % 8], 1, m![{ OneToken }, Expert, 1 # 2]>(token))
        .fetch::<i32, m![Expert], m![1 # 2]>()
        .collect::<m![Expert], m![1 # 8]>()
        .to_vrf(vrf)
}

// Of each word of a token how many others are larger. No two are alike, so each rank is there once.
fn rank(ctx: &mut Context, words: &Numbers, others: &Others, ranks: &mut Numbers, token: usize) {
    let others: VrfTensor<i32, Chip, Cluster, Slice, m![Other, 1 # 8]> = ctx
        .sub
        .begin(others.view().tile::<m![Tok % 8], 1, m![{ OneToken }, Other, 1 # 2]>(token))
        .fetch::<i32, m![Other], m![1 # 2]>()
        .collect::<m![Other], m![1 # 8]>()
        .to_vrf((token % 2) as u64 * VRF_BYTES);
    ctx.main
        .begin(words.view().tile::<m![Tok % 8], 1, m![{ OneToken }, Expert]>(token))
        .fetch::<i32, m![Expert / 8, Other], m![Expert % 8]>() // eight words, again for each other one
        .collect::<m![Expert / 8, Other], m![Expert % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::SubFxpSat, &others)
        .vector_fxp(FxpBinaryOp::LogicRightShift, 31) // the sign: 1 if the other one is larger
        .vector_split::<m![Expert / 8, Other, Expert / 4 % 2], m![Expert % 4]>()
        .vector_intra_slice_reduce::<Other, m![Expert / 4], m![Expert % 4]>(IntraSliceReduceOpI32::AddSat)
        .vector_concat::<m![Expert / 8], m![Expert % 8]>()
        .vector_final()
        .commit_view(ranks.view_mut().tile::<m![Tok % 8], 1, m![{ OneToken }, Expert]>(token));
}

// The words of a token whose rank is below Top, in the order of experts. A filter passes whole packets, and what
// decides is what comes in. So ranks come in, each in all eight lanes of a packet, and words go out: `and` with 0, `or`
// with the operand.
fn filter(
    ctx: &mut Context,
    any: &DmTensor<i32, Chip, Cluster, Slice, m![Other]>, // whatever it is: lanes to write to
    ranks: &OnePerExpert,
    words: &OnePerExpert,
    token: usize,
    found: &mut DmTensor<i32, Chip, Cluster, Slice, m![Tok % 8, { Kept }, Other % 8]>,
) {
    let lanes: DmTensor<i32, Chip, Cluster, Slice, m![Expert, Other % 8]> = ctx
        .main
        .begin(any.view().tile::<m![Other / 8], 1, FirstEight>(0))
        .fetch::<i32, m![Expert], m![Other % 8]>()
        .collect::<m![Expert], m![Other % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::BitAnd, 0)
        .vector_logic(LogicBinaryOpI32::BitOr, ranks)
        .vector_final()
        .commit(LANES_ADDRESS + (token % 2) as u64 * LANES_BYTES);
    ctx.main
        .begin(lanes.view())
        .fetch::<i32, m![Expert], m![Other % 8]>()
        .collect::<m![Expert], m![Other % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Comparison([
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::False),
            InputCmp::I32(InputCmpI32::Less { boundary: Top::SIZE as i32 }), // the fourth one chooses the group
        ]))
        .vector_logic(LogicBinaryOpI32::BitAnd, 0)
        .vector_logic(LogicBinaryOpI32::BitOr, words)
        .vector_filter::<Kept>(ValidBranchIds::ValidGroup { id: GroupId::One })
        .vector_final()
        .commit_view(found.view_mut().tile::<m![Tok % 8], 1, m![{ OneToken }, { Kept }, Other % 8]>(token));
}

#[device(chip = 1)]
fn top_k(
    ctx: &mut Context,
    scores: &HbmTensor<bf16, Chip, m![Tok, Expert]>,
    places: &HbmTensor<i32, Chip, m![Tok / 8, Expert]>,
    indices: &mut HbmTensor<i32, Chip, m![Tok, Top]>,
    best: &mut HbmTensor<f32, Chip, m![Tok, Top]>,
) {
    let scores: DmTensor<bf16, Chip, Cluster, Slice, m![Tok % 8, Expert]> = scores.to_dm(&mut ctx.tdma, SCORES_ADDRESS);
    let places: DmTensor<i32, Chip, Cluster, Slice, m![Expert]> = places.to_dm(&mut ctx.tdma, PLACES_ADDRESS);
    let in_vrf: VrfTensor<i32, Chip, Cluster, Slice, m![Expert]> = ctx
        .sub
        .begin(places.view())
        .fetch::<i32, m![Expert / 8], m![Expert % 8]>()
        .collect::<m![Expert / 8], m![Expert % 8]>()
        .to_vrf(0);
    let words = pack(ctx, &scores, &in_vrf);

    let others: Others = unsafe { apart(ctx, &words, APART_ADDRESS).reshape() };
    let mut ranks: Numbers = unsafe { DmTensor::from_addr(RANKS_ADDRESS) };
    for token in 0..TOKENS {
        rank(ctx, &words, &others, &mut ranks, token);
    }

    let words: Apart = unsafe { others.reshape() };
    let ranks = apart(ctx, &ranks, RANKS_APART_ADDRESS);
    let any: DmTensor<i32, Chip, Cluster, Slice, m![Other]> = unsafe { places.reshape() };
    let mut found: DmTensor<i32, Chip, Cluster, Slice, m![Tok % 8, { Kept }, Other % 8]> =
        unsafe { DmTensor::from_addr(FOUND_ADDRESS) };
    for token in 0..TOKENS {
        let vrf = (token % 2) as u64 * 2 * VRF_BYTES;
        let ranks = to_vrf(ctx, &ranks, token, vrf);
        let words = to_vrf(ctx, &words, token, vrf + VRF_BYTES);
        filter(ctx, &any, &ranks, &words, token, &mut found);
    }

    let found: Found = unsafe { found.reshape() }; // the first of eight lanes that are alike
    let index: DmTensor<i32, Chip, Cluster, Slice, m![Tok % 8, Top]> = ctx
        .main
        .begin(found.view())
        .fetch::<i32, m![Tok % 8, Top], m![1 # 8]>()
        .collect::<m![Tok % 8, Top], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::BitAnd, (1 << INDEX_BITS) - 1)
        .vector_fxp_with_mode(FxpBinaryOp::SubFxp, BinaryArgMode::Mode10, LAST)
        .vector_final()
        .transpose::<m![Tok % 8, Top / 2], m![Top % 2 # 8]>() // two to a flit: no gaps
        .commit(INDEX_ADDRESS);
    index.view().to_hbm_view(&mut ctx.tdma, indices.view_mut());
    let score: DmTensor<f32, Chip, Cluster, Slice, m![Tok % 8, Top]> = ctx
        .main
        .begin(found.view())
        .fetch::<i32, m![Tok % 8, Top], m![1 # 8]>()
        .collect::<m![Tok % 8, Top], m![1 # 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_logic(LogicBinaryOpI32::ArithRightShift, INDEX_BITS as i32)
        .vector_fxp_to_fp(POINT)
        .vector_final()
        .transpose::<m![Tok % 8, Top / 2], m![Top % 2 # 8]>()
        .commit(BEST_ADDRESS);
    score.view().to_hbm_view(&mut ctx.tdma, best.view_mut());
}

// ---- the host

async fn run(scores: &Vec<f32>) -> (Vec<i32>, Vec<f32>) {
    let mut ctx = Context::acquire();
    let scores: Vec<Opt<bf16>> = scores.iter().map(|s| Opt::Init(bf16::from_f32(*s))).collect();
    let scores = HostTensor::<bf16, m![Tok, Expert]>::from_buf(scores).to_hbm(&mut ctx.pdma, 0).await;
    let places: Vec<Opt<i32>> = (0..Expert::SIZE).map(|e| Opt::Init(LAST - e as i32)).collect();
    let places = HostTensor::<i32, m![Expert]>::from_buf(places);
    let places = places.to_hbm(&mut ctx.pdma, 1 << 28).await; // as many times as there are slices
    let mut indices = unsafe { HbmTensor::<i32, Chip, m![Tok, Top]>::from_addr(1 << 29) };
    let mut best = unsafe { HbmTensor::<f32, Chip, m![Tok, Top]>::from_addr(1 << 30) };
    launch(top_k, (&mut *ctx, &scores, &places, &mut indices, &mut best)).await;
    let indices = indices.to_host::<m![Tok, Top]>(&mut ctx.pdma).await.to_buf();
    let best = best.to_host::<m![Tok, Top]>(&mut ctx.pdma).await.to_buf();
    (indices.into_iter().map(|i| i.unwrap()).collect(), best.into_iter().map(|s| s.unwrap()).collect())
}

// The plain way: an expert is among the best if fewer than Top are better, or as good and in front of it.
async fn compare(scores: Vec<f32>, step: usize) {
    let (indices, best) = run(&scores).await;
    for token in (0..Tok::SIZE).step_by(step) {
        let row = &scores[token * Expert::SIZE..(token + 1) * Expert::SIZE];
        let mut place = token * Top::SIZE;
        for e in 0..Expert::SIZE {
            let better = (0..Expert::SIZE).filter(|o| row[*o] > row[e] || row[*o] == row[e] && *o < e).count();
            if better < Top::SIZE {
                assert_eq!((indices[place], best[place]), (e as i32, row[e]), "token {token}, expert {e}");
                place += 1;
            }
        }
        assert_eq!(place, (token + 1) * Top::SIZE, "token {token}");
    }
}

// Multiples of 1/4 in nearly all of the range, which bf16 holds and so does fixed point: results are exact.
#[tokio::test]
async fn finds_the_best() {
    let score = |e: usize| ((e * 7919 + e / Expert::SIZE * 31) % 251) as f32 / 4.0 - 31.0;
    compare((0..Tok::SIZE * Expert::SIZE).map(score).collect(), 163).await;
}

// Few values, so that most are there several times; below zero as well.
#[tokio::test]
async fn of_equal_ones_the_first() {
    let score = |e: usize| ((e * 13 + e / Expert::SIZE) % 5) as f32 - 3.0;
    compare((0..Tok::SIZE * Expert::SIZE).map(score).collect(), 163).await;
}

// All alike: the first ones. And beyond what fixed point holds: as the largest that it does.
#[tokio::test]
async fn at_the_limits() {
    let scores = (0..Tok::SIZE * Expert::SIZE).map(|e| if e / Expert::SIZE % 2 == 0 { -1.5 } else { 1000.0 }).collect();
    let (indices, best) = run(&scores).await;
    for i in 0..Tok::SIZE * Top::SIZE {
        assert_eq!(indices[i], (i % Top::SIZE) as i32);
        assert_eq!(best[i], if i / Top::SIZE % 2 == 0 { -1.5 } else { MOST as f32 / (1 << (31 - POINT)) as f32 });
    }
}
