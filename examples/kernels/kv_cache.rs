//! A cache of keys and values: new tokens go to the slots that they have, old ones are read from theirs.
//!
//!     append  cache[slots[t]] = new[t]        for each new token t
//!     read    y[p]            = cache[slots[p]]  for each position p
//!
//! A slot is a place for the key and the value of one token. Which sequence and which position it belongs to is up to
//! the host: here slot = sequence x 128 + position; with pages it is page[sequence, position / 16] x 16 + position %
//! 16, and no kernel changes. Slots are numbers in HBM when a kernel runs, so tokens of many sequences go in one
//! launch, a chunk of a prompt each or one of each while decoding.
//!
//! # Mapping
//!
//! Cluster 0 takes keys, cluster 1 values (`Kind`); a token is in every second slice. Keys and values of a slot lie
//! together in HBM: one scatter moves both, 1 KiB a token. `append` sends 128 tokens with one load and one scatter;
//! `read` fetches 512 positions, two in each slice, with one gather. The key of a scatter is what the index goes by,
//! `m![Tok]`; it must lie in slices or elements, not in clusters. The axis that it replaces is the one that the cache
//! has and the tokens do not: `Slot`. All other axes go along.
//!
//! # Engines and memory
//!
//! DMA alone, with an index: `dma_scatter` from DM to HBM, `dma_gather` from HBM to DM. In a slice 512 bytes of a token
//! in `append`, 1 KiB in `read`. In a model new keys and values are in DM already, where a pass has turned them
//! (`rope.rs`), and what is gathered stays there for the next pass (`causal_mask.rs`): then `append` is the scatter
//! alone.
//!
//! # What bounds it
//!
//! `append` takes 1,372 cycles and `read` 1,682, of which 1,000 each are the start of two commands. 128 KiB that are
//! read and written take 175 at 1.5 TB/s, 512 KiB 699; of a scatter one DMA engine in each cluster does all, since it
//! follows the index token by token: 256 requests, 787 cycles. Slots may lie anywhere: a row of 1 KiB is four units of
//! HBM, all written as a whole. With a tensor for keys and one for values `append` would need four commands. The cost
//! model takes slots to follow each other, which is the best case for the banks of HBM: tokens of different sequences
//! open a row each, 40 cycles on one of 32 channels while others are at work.
//!
//! # Sizes
//!
//! `Slot` is free (the tests need two sequences and the spare slot, 257 or more). `Tok` is 1, 2, 4, .. 256 tokens, and
//! `1 # 2` is 256 / Tok; `Pos` is any multiple of 256. `Head` x `Dim` is any multiple of 4 (8 bytes), of 128 for whole
//! units of HBM. If there are fewer tokens than `Tok`, give the others the spare slot behind those of the sequences.
//! Two tokens with one slot: the later one stays. The sanitizer reports a slot that the cache does not have (E0872);
//! one that nobody has written has no value when it is read.
//!
//! # What to try
//!
//! - Let two sequences share the slots of a common prompt: only the lists that `read` gets change.
//! - Head = 1: keys and values of a token have 128 bytes each, and two clusters write half a unit of HBM each, at a
//!   fiftieth of the speed: 3,715 cycles. With both kinds in one cluster they are one unit.

use furiosa_visa_std::prelude::*;

axes![Slot = 2049, Tok = 128, Pos = 512, Kind = 2, Head = 4, Dim = 64];

type Chip = m![1];
type Cluster = m![Kind];
type Cache = HbmTensor<bf16, Chip, m![Slot, Kind, Head, Dim]>;

#[device(chip = 1)]
fn append(
    ctx: &mut Context,
    new: &HbmTensor<bf16, Chip, m![Tok, Kind, Head, Dim]>,
    slots: &HbmTensor<i32, Chip, m![Tok]>,
    cache: &mut Cache,
) {
    let new: DmTensor<bf16, Chip, Cluster, m![Tok, 1 # 2], m![Head, Dim]> = new.to_dm(&mut ctx.tdma, 0);
    new.dma_scatter::<m![Tok], _, _>(slots, cache, false);
}

#[device(chip = 1)]
fn read(
    ctx: &mut Context,
    cache: &Cache,
    slots: &HbmTensor<i32, Chip, m![Pos]>,
) -> HbmTensor<bf16, Chip, m![Pos, Kind, Head, Dim]> {
    let rows: DmTensor<bf16, Chip, Cluster, m![Pos % 256], m![Pos / 256, Head, Dim]> = cache.dma_gather(slots, 0);
    rows.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

const LONGEST: usize = 128; // positions of a sequence
const SEQUENCES: usize = (Slot::SIZE - 1) / LONGEST; // and a slot to spare
const LAST: usize = SEQUENCES - 1;
const TOKEN: usize = Kind::SIZE * Head::SIZE * Dim::SIZE; // numbers of a token
const CACHE_ADDRESS: u64 = 1 << 28;
const DIFFERENT: usize = if Tok::SIZE < LONGEST { Tok::SIZE } else { LONGEST }; // positions that one launch fills

// What a token has: another number for each sequence, position and place in it, which bf16 holds.
fn number(sequence: usize, position: usize, e: usize) -> f32 {
    ((sequence * 37 + position * 11 + e) % 251) as f32 - 100.0
}

// Appends tokens, each a sequence and a position.
async fn append_tokens(ctx: &mut Context, tokens: &Vec<(usize, usize)>, cache: &mut Cache) {
    let new: Vec<Opt<bf16>> = (0..Tok::SIZE * TOKEN)
        .map(|e| Opt::Init(bf16::from_f32(number(tokens[e / TOKEN].0, tokens[e / TOKEN].1, e % TOKEN))))
        .collect();
    let slots: Vec<Opt<i32>> = tokens.iter().map(|(s, p)| Opt::Init((*s * LONGEST + *p) as i32)).collect();
    let new = HostTensor::<bf16, m![Tok, Kind, Head, Dim]>::from_buf(new).to_hbm(&mut ctx.pdma, 0).await;
    let slots = HostTensor::<i32, m![Tok]>::from_buf(slots).to_hbm(&mut ctx.pdma, 1 << 27).await;
    launch(append, (&mut *ctx, &new, &slots, cache)).await;
}

// Reads positions back, and compares them.
async fn expect(ctx: &mut Context, places: &Vec<(usize, usize)>, cache: &Cache) {
    let slots: Vec<Opt<i32>> = places.iter().map(|(s, p)| Opt::Init((*s * LONGEST + *p) as i32)).collect();
    let slots = HostTensor::<i32, m![Pos]>::from_buf(slots).to_hbm(&mut ctx.pdma, 1 << 27).await;
    let rows = launch(read, (&mut *ctx, cache, &slots)).await;
    let rows = rows.to_host::<m![Pos, Kind, Head, Dim]>(&mut ctx.pdma).await.to_buf();
    for e in (0..Pos::SIZE * TOKEN).step_by(3) {
        let (sequence, position) = places[e / TOKEN];
        assert_eq!(rows[e].unwrap().to_f32(), number(sequence, position, e % TOKEN), "{sequence}, {position}");
    }
}

// A chunk of tokens of each of many sequences, then the next one of each, in another order.
#[tokio::test]
async fn chunks_of_many_sequences() {
    let mut ctx = Context::acquire();
    let mut cache = unsafe { Cache::from_addr(CACHE_ADDRESS) };
    let many = SEQUENCES.min(Tok::SIZE);
    let both = 2 * Tok::SIZE / many; // tokens of a sequence in both chunks
    let first: Vec<(usize, usize)> = (0..Tok::SIZE).map(|t| (t % many, t / many)).collect();
    let second: Vec<(usize, usize)> = (0..Tok::SIZE).map(|t| (many - 1 - t % many, both - 1 - t / many)).collect();
    append_tokens(&mut *ctx, &first, &mut cache).await;
    append_tokens(&mut *ctx, &second, &mut cache).await;
    let places: Vec<(usize, usize)> = (0..Pos::SIZE).map(|p| (p / both * 7 % many, p % both)).collect();
    expect(&mut *ctx, &places, &cache).await;
}

// A sequence is thrown away and another one takes its place: the new tokens stand where the old ones were.
#[tokio::test]
async fn later_tokens_replace_earlier_ones() {
    let mut ctx = Context::acquire();
    let mut cache = unsafe { Cache::from_addr(CACHE_ADDRESS) };
    let tokens: Vec<(usize, usize)> = (0..Tok::SIZE).map(|t| (LAST, t % LONGEST)).collect();
    append_tokens(&mut *ctx, &(0..Tok::SIZE).map(|_| (LAST, 5)).collect(), &mut cache).await; // all to one slot
    append_tokens(&mut *ctx, &tokens, &mut cache).await;
    expect(&mut *ctx, &(0..Pos::SIZE).map(|p| (LAST, p % DIFFERENT)).collect(), &cache).await;
}

// All that are too many go to the spare slot: how a launch carries fewer tokens than it could.
#[tokio::test]
async fn what_goes_to_the_spare_slot_is_left_out() {
    let mut ctx = Context::acquire();
    let mut cache = unsafe { Cache::from_addr(CACHE_ADDRESS) };
    let tokens: Vec<(usize, usize)> = (0..Tok::SIZE).map(|t| (0, t % LONGEST)).collect();
    append_tokens(&mut *ctx, &tokens, &mut cache).await;
    let nowhere: Vec<(usize, usize)> = (0..Tok::SIZE).map(|t| if t < 9 { (LAST, t) } else { (SEQUENCES, 0) }).collect();
    append_tokens(&mut *ctx, &nowhere, &mut cache).await;
    let kept = |p: usize| if p < 9.min(Tok::SIZE) { (LAST, p) } else { (0, p % DIFFERENT) };
    expect(&mut *ctx, &(0..Pos::SIZE).map(kept).collect(), &cache).await;
}

#[tokio::test]
#[should_panic(expected = "Uninit")]
async fn a_slot_that_nobody_wrote_has_no_value() {
    let mut ctx = Context::acquire();
    let mut cache = unsafe { Cache::from_addr(CACHE_ADDRESS) };
    append_tokens(&mut *ctx, &(0..Tok::SIZE).map(|t| (0, t % LONGEST)).collect(), &mut cache).await;
    expect(&mut *ctx, &(0..Pos::SIZE).map(|p| (if p == 77 { LAST } else { 0 }, p % DIFFERENT)).collect(), &cache).await;
}
