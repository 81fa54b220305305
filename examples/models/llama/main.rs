//! A decoder in the style of Llama 3: a text goes on where a prompt ends.
//!
//!     python3 examples/models/llama/make_weights.py weights.safetensors
//!     contra run examples/models/llama/main.rs -- weights.safetensors "The quick" 32 greedy

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

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
const TOKENS: usize = 258;

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
        order[0]
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
    for _ in 0..count {
        let token = sampling.choose(&logits, rng);
        found.push(token);
        if token >= BEGIN || at == Key::SIZE {
            break;
        }
        unfinished.push(token as u8);
        if let Ok(text) = String::from_utf8(unfinished.clone()) {
            print!("{text}");
            unfinished.clear();
        }
        logits = decode::step(ctx, model, &[token], at).await;
        at += 1;
    }
    found
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
