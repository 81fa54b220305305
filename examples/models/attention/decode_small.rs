//! `decode.rs` in a size that runs in a moment: the same kernel, with the tests.
//!
//! Two tiles of 128 keys, of which a slice has 16. Some sequences are so short that a slice, or a tile, has none of
//! their keys.

use furiosa_visa_std::prelude::*;

mod decode_kernel;
use decode_kernel::{Chip, decode, scale};

axes![B = 8, Kv = 8, G = 4, Key = 256, D = 32, Part = 8, Two = 2];

type Tiles = m![Key / 128];
type OneTile = m![1 # 2]; // of all
type TileKeys = m![Key / 8 % 16]; // of a tile, in each slice
type KeyGroups = m![1]; // of 16 of them
type OneColumnTile = m![1]; // of 32 columns, of all

// ---- the host

async fn run(q: &Vec<bf16>, k: &Vec<bf16>, v: &Vec<bf16>, lengths: &Vec<usize>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let distances = (0..B::SIZE * Key::SIZE / <Tiles>::SIZE)
        .map(|e| {
            let (b, part, i) = (e / <TileKeys>::SIZE / 8, e / <TileKeys>::SIZE % 8, e % <TileKeys>::SIZE);
            Opt::Init((8 * i + part) as i32 - lengths[b] as i32)
        })
        .collect();
    let distances = HostTensor::<i32, m![B, Key % 8, { TileKeys }]>::from_buf(distances);
    let q = HostTensor::<bf16, m![B, Kv, G, D]>::from_buf(q.iter().copied().map(Opt::Init).collect());
    let k = HostTensor::<bf16, m![Key, B, Kv, D]>::from_buf(k.iter().copied().map(Opt::Init).collect());
    let v = HostTensor::<bf16, m![Key, B, Kv, D]>::from_buf(v.iter().copied().map(Opt::Init).collect());
    let q = q.to_hbm(&mut ctx.pdma, 0).await;
    let k = k.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let v = v.to_hbm(&mut ctx.pdma, 2 << 28).await;
    let distances = distances.to_hbm(&mut ctx.pdma, 3 << 28).await;
    let mut o = unsafe { HbmTensor::<bf16, Chip, m![B, Kv, G, D]>::from_addr(4 << 28) };
    launch(decode, (&mut *ctx, &q, &k, &v, &distances, &mut o)).await;
    o.to_host::<m![B, Kv, G, D]>(&mut ctx.pdma).await.to_buf().into_iter().map(|x| x.unwrap().to_f32()).collect()
}

// Numbers in between, the same again after 4093 of them.
fn numbers(size: usize, seed: usize, lowest: f32, highest: f32) -> Vec<bf16> {
    let number = |e: usize| (e * seed % 1009) as f32 / 1008.0 * (highest - lowest) + lowest;
    let some: Vec<bf16> = (0..4093).map(|e| bf16::from_f32(number(e))).collect();
    some.iter().copied().cycle().take(size).collect()
}

// What a key further on adds to a score, times sqrt(D): the first column of queries and keys brings it about.
const SLOPES: [f32; 4] = [0.0, 1.0 / 16.0, 2.0, -1.0 / 16.0];

fn dot(a: &[bf16], b: &[bf16]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a.to_f32() * b.to_f32()) as f64).sum()
}

async fn compare(lengths: Vec<usize>) {
    let mut q = numbers(B::SIZE * Kv::SIZE * G::SIZE * D::SIZE, 7919, -2.0, 2.0);
    for row in 0..B::SIZE * Kv::SIZE * G::SIZE {
        q[row * D::SIZE] = bf16::from_f32(SLOPES[row % 4]);
    }
    let mut k = numbers(Key::SIZE * B::SIZE * Kv::SIZE * D::SIZE, 6007, -2.0, 2.0);
    for row in 0..Key::SIZE * B::SIZE * Kv::SIZE {
        k[row * D::SIZE] = bf16::from_f32((row / B::SIZE / Kv::SIZE) as f32);
    }
    // below 0 in one half of the keys, above in the other one
    let half = |i: usize| numbers(Key::SIZE / 2 * B::SIZE * Kv::SIZE * D::SIZE, 3571, i as f32 - 1.0, i as f32);
    let v: Vec<bf16> = (0..2).flat_map(half).collect();
    let o = run(&q, &k, &v, &lengths).await;
    for row in (0..B::SIZE * Kv::SIZE * G::SIZE).step_by(5) {
        let pair = row / G::SIZE;
        let keys = lengths[pair / Kv::SIZE];
        let query = &q[row * D::SIZE..(row + 1) * D::SIZE];
        let from = |key: usize| (key * B::SIZE * Kv::SIZE + pair) * D::SIZE;
        let scores: Vec<f64> =
            (0..keys).map(|key| dot(query, &k[from(key)..from(key) + D::SIZE]) * scale() as f64).collect();
        let largest = scores.iter().fold(scores[0], |a, b| a.max(*b));
        let weights: Vec<f64> = scores.iter().map(|score| (*score - largest).exp()).collect();
        let weight: f64 = weights.iter().sum();
        for d in (0..D::SIZE).step_by(3) {
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
    compare(vec![Key::SIZE; B::SIZE]).await;
}

#[tokio::test]
async fn sequences_end_where_they_say() {
    compare(vec![256, 1, 7, 128, 129, 200, 255, 64]).await;
}
