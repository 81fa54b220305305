//! A mixture of experts: a router sends each token to two of eight experts, which are networks of their own (SwiGLU).
//!
//!     score[t, e] = sum over m of x[t, m] * router[e, m]
//!     y[t]        = sum over the two best e of weight[t, e] * expert[e](x[t]),     weight: softmax of the two scores
//!     expert[e](x) = (silu(x gate[e]^T) * (x up[e]^T)) down[e]^T
//!
//! 512 tokens of 256 numbers, 512 inner ones; factors and results in bf16, sums in f32. Nothing here branches: what
//! data decide is where DMA reads and writes. Four steps in one launch:
//!
//! 1. `route`: scores, packed with the expert's number into one word; ranks, by comparing each with each; of the ranks
//!    a mask of zeros and ones. From masks follow how many blocks of 128 rows each expert needs, which blocks are its
//!    own (`owners`), and the row of each token there: how many tokens before it chose the same expert.
//! 2. `dma_scatter` writes each token to its two rows. Rows that are left over have what was there before.
//! 3. `experts`: `dma_gather` brings the weights of each block's owner; all blocks are computed at once.
//! 4. `combine`: `dma_gather` reads the two results of each token; they are weighted and added up.
//!
//!     contra run examples/models/moe/main.rs
//!     contra schedule examples/models/moe/main.rs
//!
//! # Mapping
//!
//! Steps 1 and 4 go by token: two in each of 256 slices, the experts in the eight lanes of a flit. That is one cluster;
//! the other one waits, since a scatter takes its keys from one (and there is little to do). Sums over tokens before a
//! token are a product with a triangle of ones: the masks of all tokens go round the slices as a stream, each slice has
//! its two lines of the triangle in TRF, and what the Contraction Engine adds up is time, not the lanes of a packet. In
//! `cumulative_sum` the Vector Engine does the same for 32 numbers in 2,048 steps; here 512 take 512.
//!
//! Step 3 goes by block: 16 of them, in 32 slices each. In the worst case each expert leaves most of one block empty:
//! (512 x 2 - 8) / 128 + 8 = 15 blocks, so that 16 are always enough. The slices of a block share out the inner
//! numbers, 16 each, and pass the rows round; then they share out the results, 8 columns each, and pass the inner
//! numbers round. What comes out is exchanged for whole rows (InterTranspose), which HBM takes 512 bytes at a time.
//! Each flit is used twice against gate and up, as in `blocked_gemm`, and once against down: of 256 columns a slice has
//! but 8.
//!
//! # Engines and memory
//!
//! DMA with an index, to read and to write; Fetch, Switch (three kinds of rings), Collect, Contraction (also of i8, and
//! over time), Vector (all of it but the zips), Transpose (numbers apart and together), Cast, Commit. The sub context
//! loads TRF and VRF, and exchanges columns for rows while the main one multiplies.
//!
//! In a slice: x twice, its results and y (5 KiB), 8 KiB for routing, gate, up and down (8 KiB each), rows (2 KiB),
//! products (12 KiB), results (4 KiB). TRF: the router, then triangles, then up and gate, then down. VRF: 1 KiB for
//! routing, the weights of tokens, two parts of products (2 KiB each). In HBM, besides arguments and results: index,
//! owners, results by row.
//!
//! Tables come from the host once: numbers of experts, triangles of ones, copies of the router for each slice (read
//! from one place, it would be 256 times the same channel). So do weights, in the order of DMA (`PackedInwards`): that
//! takes 3,231 cycles instead of 4,216 for each matrix.
//!
//! # What bounds it
//!
//! DMA: 31,151 cycles, of which it works 86 %. It starts 18 commands (500 each), brings three matrices for each block
//! (12 MiB, 9,693 cycles) and scatters 1,024 rows in 4,574, by one engine of eight. HBM is at 38 % of 1.5 TB/s. The
//! passes of experts take 8,396 cycles, two thirds of them beside DMA. That is 20 % of what the multipliers can do, and
//! half of it is for rows that nobody asks for; all eight experts for all tokens would be twice as many rows. Routing
//! takes the first 6,104 cycles: loads that wait to start, and small passes that wait for each other.
//!
//! # Sizes
//!
//! None is free: each is what slices, lanes or blocks make of it, and the checker refuses another number.
//!
//! - `Tok` is 512, and so is `Other`: 256 slices with two. Fewer tokens: fill up with zeros. More: launch again.
//! - `Expert` and `Rival` are 8, the lanes of a flit; for more see `top_k.rs`. `Top` is 2, a pair of rows in 8 bytes of
//!   the index.
//! - `Model` is 32 slices x 8 columns, `Inner` 32 x 16.
//! - `Row` is 2048: 16 blocks, since each has 32 of 512 slices, of 128 rows. There must be (Tok x Top - Expert) / rows
//!   of a block + Expert of them, 15 here, so that blocks cannot be smaller. They can be of 256 rows (37,816 cycles):
//!   `Row` is 4096, `Row / 128` becomes `Row / 256` everywhere and `Row / 256` in `owners` `Row / 512`; in `experts`
//!   `Row / 1024` becomes `Row / 2048`, `Row / 4` `Row / 8`, `Row % 4` `Row % 8`, its tiles `1 # 4` `1 # 8`, and
//!   `PARTS` 8.
//! - Scores between -32 and 32 are told apart to 2^-23, or as f32 does; what is beyond counts as the limit. Of equal
//!   ones the first wins. Scores must not be NaN.
//!
//! # What to try
//!
//! - `PackedInwards = m![Expert, Inner, Model]`: only a load changes, and only its time.
//! - A router of zeros: all tokens go to experts 0 and 1, in four blocks each (the test of ties does that). Not a cycle
//!   changes, since nothing branches.
//! - 256 rows in a block, as `Sizes` has it: not a weight more comes, and all of the 6,665 cycles that it takes longer
//!   are for rows that nobody asks for.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

mod experts;
mod route;
use experts::{InwardWeights, experts};
use route::{place, route};

axes![Tok = 512, Other = 512, Top = 2, Expert = 8, Rival = 8, Row = 2048, Model = 256, Inner = 512];

type Chip = m![1];
type One = m![1 # 2]; // cluster, for all that is done by token
type Tokens = m![Tok / 2]; // two in each slice of it
type Blocks = m![Row / 128];
type OneBlock = m![1 # 16]; // of all
type Weights = VrfTensor<f32, Chip, One, Tokens, m![Tok % 2, Top, 1 # 8]>;

// Weights as the host sends them, in the order in which DMA writes them to slices.
type PackedInwards = m![Expert, Inner % 16, Model / 128, Inner / 16, Model % 128];
type PackedOutwards = m![Expert, Model % 8, Inner / 128, Model / 8, Inner % 128];

const BLOCKS: usize = <Blocks>::SIZE;
const BLOCK: usize = Row::SIZE / BLOCKS; // rows
const _: () = assert!(BLOCKS >= (Tok::SIZE * Top::SIZE - Expert::SIZE) / BLOCK + Expert::SIZE, "Row is too small");
const _: () = assert!(Other::SIZE == Tok::SIZE && Rival::SIZE == Expert::SIZE, "these are others of the same");

const X_ADDRESS: u64 = 0;
const RESULT_ADDRESS: u64 = X_ADDRESS + (2 * Top::SIZE * Model::SIZE * 2) as u64;
const Y_ADDRESS: u64 = RESULT_ADDRESS + (2 * Top::SIZE * Model::SIZE * 2) as u64;
const ROUTE_ADDRESS: u64 = Y_ADDRESS + (2 * Model::SIZE * 2) as u64;
const UP_ADDRESS: u64 = ROUTE_ADDRESS + 0x4000; // what experts need
const WEIGHT_VRF: u64 = 0x400; // in front of it what routing needs

const Y_HBM: u64 = 1 << 30;
const OWNERS_HBM: u64 = Y_HBM + (Tok::SIZE * Model::SIZE * 2) as u64;
const INDEX_HBM: u64 = OWNERS_HBM + 256;
const RESULT_HBM: u64 = INDEX_HBM + (Tok::SIZE * Top::SIZE * 4) as u64;

// The results of each token's experts, weighted and added up.
fn combine(
    ctx: &mut Context,
    results: &HbmTensor<bf16, Chip, m![Row, Model]>,
    index: &HbmTensor<i32, Chip, m![Tok, Top]>,
    weights: &Weights,
) -> DmTensor<bf16, Chip, One, Tokens, m![Tok % 2, Model]> {
    let rows: DmTensor<bf16, Chip, One, Tokens, m![Tok % 2, Top, Model]> = results.dma_gather(index, RESULT_ADDRESS);
    ctx.main
        .begin(rows.view())
        .fetch::<f32, m![Tok % 2, Model / 8, Top], m![Model % 8]>()
        .collect::<m![Tok % 2, Model / 8, Top], m![Model % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![Tok % 2, Model / 8, Top, Model / 4 % 2], m![Model % 4]>()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), weights)
        .vector_intra_slice_reduce::<Top, m![Tok % 2, Model / 4], m![Model % 4]>(IntraSliceReduceOpF32::Add)
        .vector_concat::<m![Tok % 2, Model / 8], m![Model % 8]>()
        .vector_final()
        .cast::<bf16, m![Model % 8 # 16]>()
        .commit(Y_ADDRESS)
}

#[device(chip = 1)]
fn moe(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![Tok, Model]>,
    router: &HbmTensor<bf16, Chip, m![Tok / 2, Expert, Model]>,
    gate: &HbmTensor<bf16, Chip, PackedInwards>,
    up: &HbmTensor<bf16, Chip, PackedInwards>,
    down: &HbmTensor<bf16, Chip, PackedOutwards>,
    places: &HbmTensor<i32, Chip, m![Tok / 2, Expert]>,
    experts_before: &HbmTensor<i8, Chip, m![Tok / 2, Expert, Rival]>,
    tokens_before: &HbmTensor<i8, Chip, m![Tok, Other % 2, Other / 2]>,
    blocks: &mut HbmTensor<bf16, Chip, m![Row, Model]>,
) -> (HbmTensor<bf16, Chip, m![Tok, Model]>, HbmTensor<i32, Chip, m![Tok, Top]>, HbmTensor<i32, Chip, Blocks>) {
    let x: DmTensor<bf16, Chip, One, Tokens, m![Tok % 2, Top, Model]> = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let (routes, owners) = route(ctx, &x, router, places, experts_before, tokens_before);
    let up: InwardWeights = up.dma_gather(&owners, UP_ADDRESS); // comes while rows are found
    let (index, weights) = place(ctx, routes);
    x.dma_scatter::<m![Tok, Top], _, _>(&index, blocks, false);
    let results = experts(ctx, blocks, &owners, &up, gate, down);
    let y = combine(ctx, &results, &index, &weights).to_hbm(&mut ctx.tdma, Y_HBM);
    (y, index, owners)
}

// ---- the host

const TOKENS: usize = Tok::SIZE;
const TOPS: usize = Top::SIZE;
const EXPERTS: usize = Expert::SIZE;
const MODEL: usize = Model::SIZE;
const INNER: usize = Inner::SIZE;

struct Layer {
    router: HostTensor<bf16, m![Expert, Model]>,
    gate: HostTensor<bf16, m![Expert, Inner, Model]>,
    up: HostTensor<bf16, m![Expert, Inner, Model]>,
    down: HostTensor<bf16, m![Expert, Model, Inner]>,
}

struct Found {
    y: Vec<f32>,         // [Tok, Model]
    rows: Vec<usize>,    // [Tok, Top]
    experts: Vec<usize>, // [Tok, Top]: the owners of these rows' blocks
}

fn to_bf16(numbers: &[f32]) -> Vec<Opt<bf16>> {
    numbers.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect()
}

async fn run(x: &[f32], layer: &Layer) -> Found {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![Tok, Model]>::from_buf(to_bf16(x)).to_hbm(&mut ctx.pdma, 0).await;
    let router = layer.router.to_hbm(&mut ctx.pdma, 1 << 28).await; // a copy for each slice
    let gate = layer.gate.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let up = layer.up.to_hbm(&mut ctx.pdma, 3 << 28).await;
    let down = layer.down.to_hbm(&mut ctx.pdma, 5 << 28).await;
    let places = (0..EXPERTS).map(|e| Opt::Init((EXPERTS - 1 - e) as i32)).collect();
    let places = HostTensor::<i32, m![Expert]>::from_buf(places).to_hbm(&mut ctx.pdma, 6 << 28).await;
    let before = (0..EXPERTS * EXPERTS).map(|e| Opt::Init((e % EXPERTS < e / EXPERTS) as i8)).collect();
    let experts_before = HostTensor::<i8, m![Expert, Rival]>::from_buf(before).to_hbm(&mut ctx.pdma, 7 << 28).await;
    let before = (0..TOKENS * TOKENS).map(|e| Opt::Init((e % TOKENS < e / TOKENS) as i8)).collect();
    let tokens_before = HostTensor::<i8, m![Tok, Other]>::from_buf(before).to_hbm(&mut ctx.pdma, 8 << 28).await;
    let mut blocks = HostTensor::<bf16, m![Row, Model]>::zero().to_hbm(&mut ctx.pdma, 9 << 28).await;
    let (y, rows, owners) = launch(
        moe,
        (&mut *ctx, &x, &router, &gate, &up, &down, &places, &experts_before, &tokens_before, &mut blocks),
    )
    .await;
    let y = y.to_host::<m![Tok, Model]>(&mut ctx.pdma).await.to_buf();
    let rows = rows.to_host::<m![Tok, Top]>(&mut ctx.pdma).await.to_buf();
    let owners = owners.to_host::<Blocks>(&mut ctx.pdma).await.to_buf();
    let rows: Vec<usize> = rows.into_iter().map(|r| r.unwrap() as usize).collect();
    Found {
        y: y.into_iter().map(|v| v.unwrap().to_f32()).collect(),
        experts: rows.iter().map(|r| owners[r / BLOCK].unwrap() as usize).collect(),
        rows,
    }
}

fn random_layer(seed: u64) -> Layer {
    let mut rng = SmallRng::seed_from_u64(seed);
    Layer {
        router: HostTensor::rand(&mut rng),
        gate: HostTensor::rand(&mut rng),
        up: HostTensor::rand(&mut rng),
        down: HostTensor::rand(&mut rng),
    }
}

// A token has a few numbers that are not 0, so that plain arithmetic is soon done with it.
const FEW: usize = 8;

fn position(token: usize, i: usize) -> usize {
    (token * 37 + i * 31) % MODEL
}

fn tokens(value: impl Fn(usize, usize) -> f32) -> Vec<f32> {
    let mut x = vec![0.0; TOKENS * MODEL];
    for token in 0..TOKENS {
        for i in 0..FEW {
            x[token * MODEL + position(token, i)] = value(token, i);
        }
    }
    x
}

#[tokio::main]
async fn main() {
    let layer = random_layer(3);
    let x = tokens(|t, i| ((t * 7 + i * 3) % 11) as f32 / 4.0 - 1.25);
    let found = run(&x, &layer).await;
    for expert in 0..EXPERTS {
        let count = found.experts.iter().filter(|e| **e == expert).count();
        println!("expert {expert}: {count:>3} tokens in {} blocks {}", count.div_ceil(BLOCK), "#".repeat(count / 8));
    }
    for token in 0..4 {
        let (experts, y) = (&found.experts[token * TOPS..(token + 1) * TOPS], &found.y[token * MODEL..]);
        println!("token {token}: experts {experts:?}, y = {:.3} {:.3} {:.3} ..", y[0], y[1], y[2]);
    }
}

// ---- tests

fn number(tensor: &Vec<Opt<bf16>>, at: usize) -> f64 {
    tensor[at].unwrap().to_f32() as f64
}

// What the layer is, for a token: its experts, best first, of equal ones the first; and their weights.
fn plain_choice(scores: &Vec<f64>) -> Vec<(usize, f64)> {
    let is_better = |a: usize, b: usize| scores[a] > scores[b] || scores[a] == scores[b] && a < b;
    let rank = |e: usize| (0..EXPERTS).filter(|o| is_better(*o, e)).count();
    let best: Vec<usize> = (0..TOPS).map(|top| (0..EXPERTS).find(|e| rank(*e) == top).unwrap()).collect();
    let powers: Vec<f64> = best.iter().map(|e| (scores[*e] - scores[best[0]]).exp()).collect();
    let sum: f64 = powers.iter().sum();
    best.into_iter().zip(powers).map(|(e, power)| (e, power / sum)).collect()
}

// Compares some tokens, and some numbers of each.
async fn compare(x: Vec<f32>, layer: Layer, step: usize) -> Found {
    let found = run(&x, &layer).await;
    let (router, gate) = (layer.router.to_buf(), layer.gate.to_buf());
    let (up, down) = (layer.up.to_buf(), layer.down.to_buf());
    for t in (0..TOKENS).step_by(step) {
        let term = |of: &Vec<Opt<bf16>>, row: usize, m: usize| number(of, row * MODEL + m) * x[t * MODEL + m] as f64;
        let dot = |of: &Vec<Opt<bf16>>, row: usize| (0..FEW).map(|i| term(of, row, position(t, i))).sum::<f64>();
        let scores: Vec<f64> = (0..EXPERTS).map(|e| dot(&router, e)).collect();
        let choice = plain_choice(&scores);
        let experts: Vec<usize> = choice.iter().map(|(e, _)| *e).collect();
        assert_eq!(found.experts[t * TOPS..(t + 1) * TOPS], experts, "token {t}: scores {scores:?}");
        let silu = |v: f64| v / (1.0 + (-v).exp());
        let unit = |row: usize| silu(dot(&gate, row)) * dot(&up, row);
        let hidden: Vec<Vec<f64>> =
            experts.iter().map(|e| (0..INNER).map(|f| unit(e * INNER + f)).collect()).collect();
        for m in (t % 16..MODEL).step_by(61) {
            let (mut expected, mut parts, mut sizes) = (0.0, 0.0, 0.0);
            for k in 0..TOPS {
                let row = (experts[k] * MODEL + m) * INNER;
                let terms: Vec<f64> = (0..INNER).map(|f| choice[k].1 * hidden[k][f] * number(&down, row + f)).collect();
                let sum: f64 = terms.iter().sum();
                expected += sum;
                parts += sum.abs();
                sizes += terms.iter().map(|v| v.abs()).sum::<f64>();
            }
            // bf16 has 8 bits, so that it rounds by one part in 256 at most: hidden units, what experts give, and the
            // sum of that. What f32 loses, and what is rounded of what was rounded, is far less.
            let tolerance = (sizes + parts + expected.abs()) / 250.0;
            let y = found.y[t * MODEL + m] as f64;
            assert!((y - expected).abs() <= tolerance, "token {t}, {m}: {y} instead of {expected}, within {tolerance}");
        }
    }
    found
}

#[tokio::test]
async fn close_to_plain_arithmetic() {
    let x = tokens(|t, i| ((t * 7 + i * 3) % 11) as f32 / 4.0 - 1.25);
    compare(x, random_layer(3), 61).await;
}

// As uneven as can be: two experts get all tokens, four blocks each, and the others none. Some scores are beyond
// 32 and -32, where they count as the limit; and those are more than 32 apart, which a difference of words cannot say:
// ranks need one that saturates.
#[tokio::test]
async fn all_tokens_to_two_experts() {
    let mut layer = random_layer(5);
    let score = |e: usize| if e == 6 { 6.0 } else if e == 3 { 2.0 } else { -6.0 };
    let router: Vec<f32> = (0..EXPERTS * MODEL).map(|i| score(i / MODEL)).collect();
    layer.router = HostTensor::from_buf(to_bf16(&router));
    let x = tokens(|t, i| ((t * 5 + i * 7) % 13 + 1) as f32 / 8.0);
    let found = compare(x, layer, 171).await;
    for t in 0..TOKENS {
        assert_eq!(found.experts[t * TOPS..(t + 1) * TOPS], [6, 3], "token {t}");
        assert_eq!(found.rows[t * TOPS..(t + 1) * TOPS], [TOKENS + t, t], "token {t}");
    }
}

// All scores are alike: the first two experts, half each.
#[tokio::test]
async fn ties_go_to_the_first() {
    let mut layer = random_layer(7);
    layer.router = HostTensor::zero();
    let found = compare(tokens(|t, i| ((t + i * 7) % 13) as f32 / 8.0 - 0.75), layer, 171).await;
    assert_eq!(found.experts, [0, 1].repeat(TOKENS));
}
