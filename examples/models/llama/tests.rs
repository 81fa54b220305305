//! A model of one layer, its weights by a formula, against plain arithmetic.

use super::*;

// Numbers around 0, the same again after 4093 of them.
fn matrix(rows: usize, columns: usize, seed: usize) -> Vec<f32> {
    let scale = 2.0 / (columns as f32).sqrt();
    let number = |e: usize| bf16::from_f32(((e * e % 1021 * seed % 1009) as f32 / 504.0 - 1.0) * scale).to_f32();
    let some: Vec<f32> = (0..4093).map(number).collect();
    some.iter().copied().cycle().take(rows * columns).collect()
}

fn gains(seed: usize) -> Vec<f32> {
    (0..Emb::SIZE).map(|e| 1.0 + (e * seed % 16) as f32 / 32.0).collect()
}

struct Plain {
    table: Vec<f32>,
    attention_gain: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
    v: Vec<f32>,
    o: Vec<f32>,
    mlp_gain: Vec<f32>,
    gate: Vec<f32>,
    up: Vec<f32>,
    down: Vec<f32>,
    gain: Vec<f32>,
    head: Vec<f32>,
}

fn plain() -> Plain {
    let heads = Kv::SIZE * G::SIZE * D::SIZE;
    Plain {
        table: matrix(Voc::SIZE, Emb::SIZE, 3).iter().map(|v| v * 8.0).collect(),
        attention_gain: gains(3),
        q: matrix(heads, Emb::SIZE, 7919),
        k: matrix(Kv::SIZE * D::SIZE, Emb::SIZE, 6007),
        v: matrix(Kv::SIZE * D::SIZE, Emb::SIZE, 3571),
        o: matrix(Emb::SIZE, heads, 4421),
        mlp_gain: gains(5),
        gate: matrix(Ffn::SIZE, Emb::SIZE, 1237),
        up: matrix(Ffn::SIZE, Emb::SIZE, 2357),
        down: matrix(Emb::SIZE, Ffn::SIZE, 3989),
        gain: gains(7),
        head: matrix(Voc::SIZE, Emb::SIZE, 977),
    }
}

fn on_host<File: M>(numbers: &Vec<f32>) -> HostTensor<bf16, File> {
    HostTensor::from_buf(numbers.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect())
}

async fn in_hbm(ctx: &mut Context, plain: &Plain) -> Model {
    let mut room = Room::new();
    let layer = Layer {
        attention_gain: room.put(ctx, &on_host::<m![Emb]>(&plain.attention_gain)).await,
        q: room.put(ctx, &on_host::<QueryFile>(&plain.q)).await,
        k: room.put(ctx, &on_host::<KeyFile>(&plain.k)).await,
        v: room.put(ctx, &on_host::<KeyFile>(&plain.v)).await,
        o: room.put(ctx, &on_host::<OutFile>(&plain.o)).await,
        mlp_gain: room.put(ctx, &on_host::<m![Emb]>(&plain.mlp_gain)).await,
        gate: room.put(ctx, &on_host::<m![Ffn, Emb]>(&plain.gate)).await,
        up: room.put(ctx, &on_host::<m![Ffn, Emb]>(&plain.up)).await,
        down: room.put(ctx, &on_host::<m![Emb, Ffn]>(&plain.down)).await,
        keys: room.put(ctx, &HostTensor::<bf16, m![Key, Kv, D]>::zero()).await,
        values: room.put(ctx, &HostTensor::<bf16, m![Key, Kv, D]>::zero()).await,
    };
    Model {
        table: room.put(ctx, &on_host::<m![Voc, Emb]>(&plain.table)).await,
        layers: vec![layer],
        gain: room.put(ctx, &on_host::<m![Emb]>(&plain.gain)).await,
        head: room.put(ctx, &on_host::<m![Voc, Emb]>(&plain.head)).await,
        cos: room.cosines(ctx).await,
        sin: room.sines(ctx).await,
    }
}

// ---- the same in f64, rounded to bf16 where the kernels round

fn round(x: Vec<f64>) -> Vec<f64> {
    x.iter().map(|v| bf16::from_f32(*v as f32).to_f32() as f64).collect()
}

fn times(matrix: &[f32], x: &[f64]) -> Vec<f64> {
    matrix.chunks_exact(x.len()).map(|row| row.iter().zip(x).map(|(w, x)| *w as f64 * *x).sum()).collect()
}

fn norm(x: &[f64], gain: &[f32]) -> Vec<f64> {
    let mean_square = x.iter().map(|v| v * v).sum::<f64>() / x.len() as f64;
    round(x.iter().zip(gain).map(|(v, g)| v / (mean_square + 1.0e-5).sqrt() * *g as f64).collect())
}

fn add(x: &[f64], y: Vec<f64>) -> Vec<f64> {
    round(x.iter().zip(&y).map(|(x, y)| x + y).collect())
}

fn turn(heads: &[f64], position: usize) -> Vec<f64> {
    let half = D::SIZE / 2;
    let turned = |e: usize| {
        let (d, first) = (e % half, e / D::SIZE * D::SIZE + e % half);
        let angle = position as f64 / 500000.0_f64.powf(d as f64 / half as f64);
        let (a, b) = (heads[first], heads[first + half]);
        if e % D::SIZE < half { a * angle.cos() - b * angle.sin() } else { a * angle.sin() + b * angle.cos() }
    };
    round((0..heads.len()).map(turned).collect())
}

fn head(x: &[f64], number: usize) -> &[f64] {
    &x[number * D::SIZE..(number + 1) * D::SIZE]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn mix(q: &[f64], keys: &[Vec<f64>], values: &[Vec<f64>]) -> Vec<f64> {
    let mut mixed = Vec::new();
    for h in 0..Kv::SIZE * G::SIZE {
        let of = h / G::SIZE;
        let scores: Vec<f64> = keys.iter().map(|k| dot(head(q, h), head(k, of)) / (D::SIZE as f64).sqrt()).collect();
        let largest = scores.iter().fold(scores[0], |a, b| a.max(*b));
        let weights: Vec<f64> = scores.iter().map(|s| (s - largest).exp()).collect();
        let all: f64 = weights.iter().sum();
        for d in 0..D::SIZE {
            let sum: f64 = weights.iter().zip(values).map(|(w, v)| w * head(v, of)[d]).sum();
            mixed.push(sum / all);
        }
    }
    round(mixed)
}

// Logits behind the last token, and what their terms come to without their signs.
fn expected(plain: &Plain, tokens: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let (mut keys, mut values, mut x) = (Vec::new(), Vec::new(), Vec::new());
    for (position, token) in tokens.iter().enumerate() {
        x = plain.table[token * Emb::SIZE..(token + 1) * Emb::SIZE].iter().map(|v| *v as f64).collect();
        let normal = norm(&x, &plain.attention_gain);
        keys.push(turn(&times(&plain.k, &normal), position));
        values.push(round(times(&plain.v, &normal)));
        if position == tokens.len() - 1 {
            let q = turn(&times(&plain.q, &normal), position);
            x = add(&x, times(&plain.o, &mix(&q, &keys, &values)));
        }
    }
    let normal = norm(&x, &plain.mlp_gain);
    let (gate, up) = (times(&plain.gate, &normal), times(&plain.up, &normal));
    let active = round(gate.iter().zip(&up).map(|(g, u)| g / (1.0 + (-g).exp()) * u).collect());
    let x = add(&x, times(&plain.down, &active));
    let normal = norm(&x, &plain.gain);
    let without_signs = |numbers: &[f32]| numbers.iter().map(|w| w.abs()).collect::<Vec<f32>>();
    let sizes: Vec<f64> = normal.iter().map(|v| v.abs()).collect();
    (times(&plain.head, &normal), times(&without_signs(&plain.head), &sizes))
}

// What kernels round to bf16 they have in f32, off by a few parts in 2^24; f64 rounds to the same number unless the
// middle of two neighbours lies between. With these weights that happens nowhere, so that both have the same numbers in
// front of the last product. A logit is a sum of Emb products there, which are exact in f32: each of Emb - 1 additions
// is off by one part in 2^24 of what has been added up at most, in any order.
fn compare(found: &[f32], (expected, sizes): &(Vec<f64>, Vec<f64>)) {
    for token in 0..Voc::SIZE {
        let (found, expected) = (found[token] as f64, expected[token]);
        let tolerance = (Emb::SIZE - 1) as f64 * sizes[token] / (1 << 24) as f64;
        assert!((found - expected).abs() <= tolerance, "token {token}: {found} instead of {expected}, within {tolerance}");
    }
}

const PROMPT: [usize; 5] = [256, 72, 105, 44, 32];

#[tokio::test]
async fn logits_of_one_layer() {
    let mut ctx = Context::acquire();
    let plain = plain();
    let mut model = in_hbm(&mut ctx, &plain).await;
    compare(&prefill::step(&mut ctx, &mut model, &PROMPT[..4], 0).await, &expected(&plain, &PROMPT[..4]));
    compare(&decode::step(&mut ctx, &mut model, &PROMPT[4..], 4).await, &expected(&plain, &PROMPT));
}

// The same numbers are added in the same order, whether tokens come one by one or together.
#[tokio::test]
async fn one_by_one_is_all_at_once() {
    let mut ctx = Context::acquire();
    let mut model = in_hbm(&mut ctx, &plain()).await;
    let at_once = prefill::step(&mut ctx, &mut model, &PROMPT, 0).await;
    let mut one_by_one = Vec::new();
    for position in 0..PROMPT.len() {
        one_by_one = decode::step(&mut ctx, &mut model, &PROMPT[position..position + 1], position).await;
    }
    assert_eq!(at_once, one_by_one);
}

#[test]
fn tokens_are_chosen_from_the_best() {
    let logits: Vec<f32> =
        (0..Voc::SIZE).map(|t| if t >= TOKENS { 100.0 } else { -((t as f32) - 65.0).abs() }).collect();
    let mut rng = SmallRng::seed_from_u64(7);
    for _ in 0..50 {
        assert_eq!(Sampling::parse("greedy").choose(&logits, &mut rng), 65);
        assert!((64..67).contains(&Sampling::parse("topk=3").choose(&logits, &mut rng)));
        assert!((64..67).contains(&Sampling::parse("topp=0.7").choose(&logits, &mut rng))); // 0.46 and twice 0.17
    }
    let chosen: Vec<usize> = (0..50).map(|_| Sampling::parse("topk=3").choose(&logits, &mut rng)).collect();
    assert!([64, 65, 66].iter().all(|token| chosen.contains(token)));
}
