//! A decoder in the style of Llama 3, which goes on with a text: weights from a file, kernels for every step.
//!
//! For a token with the embedding x, in each layer, with norm(x) = x / sqrt(mean of x^2 + eps) * gain:
//!
//!     q, k, v = W_q norm(x), W_k norm(x), W_v norm(x)     q and k turned by an angle of the position, k and v kept
//!     x = x + W_o (softmax(q K^T / sqrt(D)) V)            K, V: what was kept of this token and all before it
//!     x = x + W_down (W_up norm(x) * silu(W_gate norm(x)))
//!
//! and in the end logits = W norm(x), of which the host chooses the next token. G heads of queries share one of keys
//! and values. Weights, x and what is kept are bf16; sums, softmax and logits are f32.
//!
//!     python3 examples/models/llama/make_weights.py weights.safetensors
//!     contra run examples/models/llama/main.rs -- weights.safetensors "The quick" 32 greedy
//!     contra run examples/models/llama/main.rs -- weights.safetensors "Once upon" 60 topp=0.9 7
//!
//! The last words are how many tokens, how they are chosen (`greedy`, `topk=K`, `topp=P`) and a seed. Tokens are
//! bytes, and two more for begin and end. `make_weights.py` makes a small model that knows three sentences by heart;
//! names and shapes in the file are those that Llama's files have. `reference.py` is the same model in NumPy and says
//! the same.
//!
//! | file | has |
//! |---|---|
//! | `sizes.rs`, `sizes_8b.rs` | all axes, and mappings that change with them: of the small model, of Llama 3 8B |
//! | `kernels/` | four kernels without sizes of their own: `embed`, `attention`, `mlp`, `logits`; `step.rs` runs them |
//! | `decode.rs`, `prefill.rs` | the kernels for 1 and for 16 tokens a launch |
//! | `model.rs`, `main.rs` | the host: weights to HBM, choosing tokens |
//! | `llama_8b.rs` | the kernels in the size of Llama 3 8B, for `contra schedule` |
//!
//! # Mapping
//!
//! - **Matrices.** Rows are shared out over both clusters and their slices; a slice multiplies its rows, a tile at a
//!   time from TRF, with all of x. So every weight leaves HBM once, however many tokens there are. Each slice keeps a
//!   part of x (16 numbers), and the Switch Engine passes the parts round all slices that have rows. Of a small model
//!   x has fewer parts than a cluster has slices: then only as many slices work (`1 # 16` in `sizes.rs`).
//! - **Norms** are computed where the parts are: squares are added up in a slice, then over slices.
//! - **Attention.** Heads of keys are shared out over clusters and groups of slices, the positions of a head over the
//!   slices of a group. All of these get all queries of the head. Largest score, sum and weighted values are found in
//!   each slice, then over slices (inter-slice reduce).
//! - **Between the steps** results go through HBM, since they come from slices of both clusters and go to all: q,
//!   weighted values, what comes out of silu. HBM takes 256 bytes at once, and less takes 50 times as long. So a ring
//!   of slices first puts its numbers side by side (`gather`); without that attention takes 47,950 cycles here.
//!
//! # Engines and memory
//!
//! `attention`: DMA, norm (Vector), three products (Switch, Contraction), gather (Switch), the rotary embedding of q
//! and k as in `rope.rs` with angles that `dma_gather` finds by position, k and v to their positions (`dma_scatter`),
//! scores (Contraction, then Vector: scale and mask), softmax in five small passes, weighted values (Vector), one more
//! product. `mlp`: norm, two products, silu as in `activations.rs`, a product. Each adds x to what it found.
//!
//! Which keys a token sees is a mask from the host: 0, or minus infinity for those behind it. That hides what nobody
//! has written yet as well, and what a shorter prompt than 16 tokens leaves behind itself.
//!
//! DM: two places for tiles (64 KiB each), which DMA fills in turns while the one before is multiplied, then x and
//! everything else, each at an address of its own. TRF: a tile in each half. VRF: gain, angles, scores. The first two
//! tiles of a matrix are on their way before x is there to be multiplied.
//!
//! # What bounds it
//!
//! Decoding: the weights, each used once, come from HBM. Of the small model that is 1.2 MB a layer, 790 cycles at 1.5
//! TB/s, and does not count: `attention` takes 15,882 cycles and `mlp` 9,133, most of them for 32 DMA commands that
//! take 500 to start, one after the other. In the size of 8B it is all that counts: 343,148 cycles a layer, 86 % of
//! what HBM can do (`llama_8b.rs`). 16 tokens at once take little longer than one: 24,205 and 10,404 cycles.
//!
//! # Sizes
//!
//! A file of sizes says each axis once, and what follows from it in mappings; one that does not fit the others is
//! refused (E0107, E0505, E0617, E0644). The rules, as in `sizes.rs`:
//!
//! - Parts of x, of heads side by side and of what comes out of silu: a power of two of them, at most 256, each a
//!   multiple of 16 numbers (`EmbParts`, `HeadParts`, `FfnParts`). As many slices of a cluster have rows of the matrix
//!   that is multiplied with it.
//! - A tile has 1, 2, 4 or 8 rows for each slice (`HeadRows` ..), and at most 32 KiB of them, or 64 where it has all
//!   of TRF (`DOWN_PLACES`).
//! - Kv is a multiple of 2, D a multiple of 32. Key is a multiple of the slices of a head, 512 / Kv.
//! - G x Keys x Tok, the scores in a slice, is at most 200: VRF has them with 32 bytes each. Longer prompts go in
//!   several launches; `../attention/prefill.rs` has attention for thousands of tokens at once.
//! - Tok is at most 16: VRF holds as many times 128 numbers of x.
//!
//! # What to try
//!
//! - `topp=0.9` with several seeds, and prompts that the model does not know.
//! - `QueryRest` of `sizes_8b.rs` as `m![Kv, G, D / 8, D % 4, Emb]`, rows as a file has them: HBM opens a row for
//!   almost every read, and a tile takes 41,460 cycles instead of 11,423.
//! - `first_tiles` of W_o behind `mix`, where they are needed: attention of 8B takes 87,459 cycles.
//! - Two layers more: `LAYERS` in `sizes.rs` and in `make_weights.py`.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::io::Write;

mod decode;
mod model;
mod prefill;
mod sizes;
#[cfg(test)]
mod tests;

use model::*;
use sizes::*;

const ARGUMENTS: u64 = 43 << 30; // what the host sends for each step
const BEGIN: usize = 256; // tokens are bytes, then these
const END: usize = 257;
const TOKENS: usize = END + 1;

// ---- choosing a token

enum Sampling {
    Greedy,
    TopK(usize),
    TopP(f64),
}

impl Sampling {
    fn parse(words: &str) -> Sampling {
        match words.split_once('=') {
            None if words == "greedy" => Sampling::Greedy,
            Some(("topk", k)) => Sampling::TopK(k.parse().expect("topk is a number")),
            Some(("topp", p)) => Sampling::TopP(p.parse().expect("topp is a number")),
            _ => panic!("no way of sampling: {words}"),
        }
    }

    fn choose(&self, logits: &[f32], rng: &mut SmallRng) -> usize {
        let mut order: Vec<usize> = (0..TOKENS).collect();
        order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
        let weights: Vec<f64> = order.iter().map(|t| ((logits[*t] - logits[order[0]]) as f64).exp()).collect();
        let all: f64 = weights.iter().sum();
        let mut taken = 0.0;
        let count = match self {
            Sampling::Greedy => 1,
            Sampling::TopK(k) => (*k).clamp(1, TOKENS),
            Sampling::TopP(p) => {
                1 + weights
                    .iter()
                    .take_while(|weight| {
                        taken += **weight / all;
                        taken < *p
                    })
                    .count()
            }
        };
        let count = count.min(TOKENS);
        let mut left = rng.random::<f64>() * weights[..count].iter().sum::<f64>();
        for i in 0..count {
            left -= weights[i];
            if left < 0.0 {
                return order[i];
            }
        }
        order[0] // where rounding left something over
    }
}

// ---- a text

// The logits behind a prompt.
async fn read_prompt(ctx: &mut Context, model: &mut Model, prompt: &[usize]) -> Vec<f32> {
    let mut logits = Vec::new();
    let mut at = 0;
    while at < prompt.len() {
        let rest = &prompt[at..];
        if rest.len() > 1 && at + prefill::COUNT <= Key::SIZE {
            let part = &rest[..rest.len().min(prefill::COUNT)];
            logits = prefill::step(ctx, model, part, at).await;
            at += part.len();
        } else {
            logits = decode::step(ctx, model, &rest[..1], at).await;
            at += 1;
        }
    }
    logits
}

async fn generate(
    ctx: &mut Context,
    model: &mut Model,
    prompt: &str,
    count: usize,
    sampling: &Sampling,
    rng: &mut SmallRng,
) -> Vec<usize> {
    let mut tokens = vec![BEGIN];
    tokens.extend(prompt.bytes().map(|byte| byte as usize));
    assert!(tokens.len() <= Key::SIZE, "the prompt is longer than the cache");
    let mut logits = read_prompt(ctx, model, &tokens).await;
    let mut at = tokens.len();
    let mut found = Vec::new();
    let mut unfinished = Vec::new(); // bytes of a character
    while found.len() < count {
        let token = sampling.choose(&logits, rng);
        found.push(token);
        if token >= BEGIN {
            break;
        }
        unfinished.push(token as u8);
        show(&mut unfinished);
        if found.len() == count || at == Key::SIZE {
            break;
        }
        logits = decode::step(ctx, model, &[token], at).await;
        at += 1;
    }
    found
}

// What is a character by now, or will not be one any more.
fn show(bytes: &mut Vec<u8>) {
    if bytes.len() == 4 || std::str::from_utf8(bytes).is_ok() {
        print!("{}", String::from_utf8_lossy(bytes));
        std::io::stdout().flush().unwrap();
        bytes.clear();
    }
}

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().collect();
    assert!(words.len() >= 3, "give it: WEIGHTS.safetensors PROMPT [COUNT [greedy|topk=K|topp=P [SEED]]]");
    let word = |at: usize, otherwise: &str| words.get(at).cloned().unwrap_or(otherwise.to_string());
    let count: usize = word(3, "32").parse().expect("COUNT is a number");
    let sampling = Sampling::parse(&word(4, "greedy"));
    let mut rng = SmallRng::seed_from_u64(word(5, "1").parse().expect("SEED is a number"));
    let bytes = std::fs::read(&words[1]).expect("no file of weights");
    let mut ctx = Context::acquire();
    let mut model = Model::load(&mut ctx, &bytes).await;
    print!("{}", words[2]);
    let found = generate(&mut ctx, &mut model, &words[2], count, &sampling, &mut rng).await;
    let numbers: Vec<String> = found.iter().map(|token| token.to_string()).collect();
    println!("\n{} tokens: {}", found.len(), numbers.join(" "));
}
