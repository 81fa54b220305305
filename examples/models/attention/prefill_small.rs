//! `prefill.rs` in a size that runs in a moment: the same kernels, with the tests.
//!
//! Two blocks of queries and two steps of keys, so that all that goes on from step to step takes part. The causal
//! queries begin behind 960 keys: the first block ends where the second step begins, and leaves it out.

use furiosa_visa_std::prelude::*;

mod prefill_kernel;
use prefill_kernel::{Chip, prefill, prefill_causal, scale};

axes![Kv = 8, G = 2, Q = 128, Key = 2048, D = 32, Two = 2];

type Blocks = m![Q / 64];
type OneBlock = m![1 # 2]; // of all
type Positions = m![1]; // of a block, in each slice
type Block = m![{ Positions }, G];
type OneStep = m![1 # 2]; // of all
type KeyTiles = m![Key / 512]; // of what half of TRF holds
type OneTile = m![1 # 4]; // of all
type TileKeys = m![Key % 512];
type StepTiles = m![Key / 512 % 2];
type OneTileOfStep = m![1 # 2];
type OneColumnTile = m![1 # 2];
const PAST: usize = 960; // keys in front of the first query

// ---- the host

async fn run(q: &Vec<bf16>, k: &Vec<bf16>, v: &Vec<bf16>, is_causal: bool) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let q = HostTensor::<bf16, m![Q, Kv, G, D]>::from_buf(q.iter().copied().map(Opt::Init).collect());
    let k = HostTensor::<bf16, m![Key, Kv, D]>::from_buf(k.iter().copied().map(Opt::Init).collect());
    let v = HostTensor::<bf16, m![Key, Kv, D]>::from_buf(v.iter().copied().map(Opt::Init).collect());
    let query_numbers = HostTensor::<i32, m![Q, 1 # 2]>::from_buf((0..Q::SIZE as i32).map(Opt::Init).collect());
    let key_numbers = HostTensor::<i32, TileKeys>::from_buf((0..<TileKeys>::SIZE as i32).map(Opt::Init).collect());
    let q = q.to_hbm(&mut ctx.pdma, 0).await;
    let k = k.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let v = v.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let query_numbers = query_numbers.to_hbm(&mut ctx.pdma, 3 << 28).await;
    let key_numbers = key_numbers.to_hbm(&mut ctx.pdma, 4 << 28).await;
    let mut o = unsafe { HbmTensor::<bf16, Chip, m![Q, Kv, G, D]>::from_addr(5 << 28) };
    if is_causal {
        launch(prefill_causal, (&mut *ctx, &q, &k, &v, &query_numbers, &key_numbers, &mut o)).await;
    } else {
        launch(prefill, (&mut *ctx, &q, &k, &v, &mut o)).await;
    }
    o.to_host::<m![Q, Kv, G, D]>(&mut ctx.pdma).await.to_buf().into_iter().map(|x| x.unwrap().to_f32()).collect()
}

// Numbers in between, the same again after 4093 of them.
fn numbers(size: usize, seed: usize, lowest: f32, highest: f32) -> Vec<bf16> {
    let number = |e: usize| (e * seed % 1009) as f32 / 1008.0 * (highest - lowest) + lowest;
    let some: Vec<bf16> = (0..4093).map(|e| bf16::from_f32(number(e))).collect();
    some.iter().copied().cycle().take(size).collect()
}

// What a key further on adds to a score, times sqrt(D): nothing; little, so that each step has its part; so much that
// only the last keys count; or less than nothing. The first two columns of queries and keys bring it about.
const SLOPES: [f32; 4] = [0.0, 1.0 / 128.0, 1.5, -1.5];

fn queries() -> Vec<bf16> {
    let mut q = numbers(Q::SIZE * Kv::SIZE * G::SIZE * D::SIZE, 7919, -2.0, 2.0);
    for row in 0..Q::SIZE * Kv::SIZE * G::SIZE {
        q[row * D::SIZE] = bf16::from_f32(64.0 * SLOPES[row % 4]);
        q[row * D::SIZE + 1] = bf16::from_f32(SLOPES[row % 4]);
    }
    q
}

fn keys() -> Vec<bf16> {
    let mut k = numbers(Key::SIZE * Kv::SIZE * D::SIZE, 6007, -2.0, 2.0);
    for row in 0..Key::SIZE * Kv::SIZE {
        let key = row / Kv::SIZE;
        k[row * D::SIZE] = bf16::from_f32((key / 64) as f32);
        k[row * D::SIZE + 1] = bf16::from_f32((key % 64) as f32);
    }
    k
}

// Below 0 in the first half of the keys, above in the second.
fn values() -> Vec<bf16> {
    let half = |i: usize| numbers(Key::SIZE / 2 * Kv::SIZE * D::SIZE, 3571, i as f32 - 1.0, i as f32);
    (0..2).flat_map(half).collect()
}

fn dot(a: &[bf16], b: &[bf16]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a.to_f32() * b.to_f32()) as f64).sum()
}

async fn compare(is_causal: bool) {
    let (q, k, v) = (queries(), keys(), values());
    let o = run(&q, &k, &v, is_causal).await;
    for row in (5..Q::SIZE * Kv::SIZE * G::SIZE).step_by(403) {
        let head = row / G::SIZE % Kv::SIZE;
        let keys = if is_causal { PAST + row / G::SIZE / Kv::SIZE + 1 } else { Key::SIZE };
        let query = &q[row * D::SIZE..(row + 1) * D::SIZE];
        let from = |key: usize| (key * Kv::SIZE + head) * D::SIZE;
        let scores: Vec<f64> =
            (0..keys).map(|key| dot(query, &k[from(key)..from(key) + D::SIZE]) * scale() as f64).collect();
        let largest = scores.iter().fold(scores[0], |a, b| a.max(*b));
        let weights: Vec<f64> = scores.iter().map(|score| (*score - largest).exp()).collect();
        let weight: f64 = weights.iter().sum();
        for d in 0..D::SIZE {
            let sum: f64 = (0..keys).map(|key| weights[key] * v[from(key) + d].to_f32() as f64).sum();
            let (found, expected) = (o[row * D::SIZE + d] as f64, sum / weight);
            // weights in bf16 are off by one part in 256, both in the sum (of values up to 1) and in what divides it;
            // the quotient is rounded once more
            let tolerance = (1.0 + 2.0 * expected.abs()) / 250.0;
            assert!((found - expected).abs() <= tolerance, "row {row}, column {d}: {found}, not {expected}");
        }
    }
}

#[tokio::test]
async fn every_query_sees_every_key() {
    compare(false).await;
}

#[tokio::test]
async fn no_query_sees_a_key_behind_it() {
    compare(true).await;
}
