//! Sums whose terms lie apart: in slices, in clusters, in tensors of their own, in pieces that come one by one.
//!
//!     layer_norm        y[t, h] = (x[t, h] - mean of x[t]) / sqrt(variance of x[t] + eps)
//!     batch_statistics  mean[c], variance[c] of x[n, c] over all samples n
//!     expert_sum        y[p, w] = sum over experts e of weight[p, e] * out[e, p, w]
//!     window_sums       y[f] = sum over all steps s of x[s, f]
//!
//! Where an axis lies decides which engine adds it up. What is in the lanes of a packet or in time steps is added up in
//! the slice, for nothing, on the way through the Vector Engine. Slices are added up by the Inter-Slice Block, which
//! sends one packet round: 8 cycles for 8 slices, 256 for all. Between clusters there is only DMA, at 500 cycles a
//! command. So each kernel adds up first what is near, and sends few numbers far.
//!
//! # Mapping
//!
//! - `layer_norm`: 32 tokens, each in 2 clusters x 8 slices x 512 columns; more tokens follow in time (`Token / 32`).
//!   That is how a product that shares out its columns leaves them. A cluster finds mean m and mean square v of its own
//!   half, m by a pass and v by a second one, so that nothing cancels. Then one exchange (`dm_cluster_shuffle`) brings
//!   both from the other cluster, and `combine` makes (m + m') / 2 and (v + v') / 2 + ((m - m') / 2)^2 of them. With
//!   the common mean sent first, and the variance after it, there would be two exchanges.
//! - `batch_statistics`: clusters take half of the channels each, so nothing has to cross; slices and time take the
//!   samples. Channels stay in the lanes: four sums at a time. Sums go round the slices once for both batches.
//! - `expert_sum`: a token in each slice, the outputs of its experts side by side there. The sum over experts is then
//!   one over time: four steps of `m![Width / 8, Expert, ..]`, each with its own weight from VRF.
//! - `window_sums`: as batch statistics, but a window is forgotten when it is added up: two places in DM are enough for
//!   any number of steps. The sums of all windows are kept and go round the slices once, in the end.
//!
//! # Engines and memory
//!
//! DMA (also between clusters), Fetch (bf16 to f32; two tensors in turn), Switch (one slice to eight), Collect, Vector
//! (narrow, float, two groups, intra-slice reduce, division, widen, inter-slice reduce), Cast, Commit, and the sub
//! context to load VRF. In a slice:
//!
//!     layer_norm        x at 0, y behind it (4 KiB each), statistics; VRF: means and scales of two tiles
//!     batch_statistics  samples (4 KiB), two sums and two squares of 128 channels; VRF: 128 means
//!     expert_sum        outputs of two tiles in turn (2 KiB each), weights, sums of two; VRF: weights of two tiles
//!     window_sums       two windows in turn (2 KiB each), the sums of each window; no VRF
//!
//! # What bounds it
//!
//! HBM and DMA. Floats go through the Vector Engine four at a time, 512 slices at once, 2,048 a cycle; HBM brings 750
//! in bf16. A pass or two over a tile are over before the next tile is there.
//!
//!     kernel            cycles   at 1.5 TB/s   what else
//!     layer_norm         6,167         2,796   500 to start each of five commands; 555 of statistics of the last tile,
//!                                              64 of the exchange and 316 until the first result can leave
//!     batch_statistics   4,361         1,398   500 to start each of three commands that nothing hides; 1,490 from
//!                                              the last sample to the variance: the way round the slices twice (642),
//!                                              squares of both batches (524)
//!     expert_sum         4,379         1,770   500 to start each of five commands, and nothing else: DMA never waits
//!     window_sums        5,881         2,796   500 to start each of five commands; 644 behind the last window
//!
//! These are small: a tile has 1 MiB, for which HBM takes 699 cycles, so a start costs almost as much as the data. With
//! tiles of 4 MiB it is one part in seven.
//!
//! # Sizes
//!
//! - `Token` is any multiple of 64 up to 4,096; `OneTile` says how many tiles that makes. `Hidden` is 16 x any multiple
//!   of 8, which stands as 512 (then 64 and 128 are an eighth and a quarter of it, 4096 a half of all).
//! - `Sample` is any multiple of 2,048, as many batches as `OneBatch` says; DM holds 348,160 of them. `Channel` is 2 x
//!   any multiple of 8, which stands as 128 (then 16 and 32 are an eighth and a quarter of it).
//! - `Place` is any multiple of 512, as many tiles as `PlaceTile` says; `Width` is any multiple of 8, `Expert` is free:
//!   two tiles of all experts' outputs have 512 KiB. Weights come twice each, so that 8 bytes, the least that Fetch
//!   reads, have one, and DMA finds no gaps. `Width` should be a multiple of 128, whole units of HBM: others are read,
//!   changed and written back, 1,088 columns at 6 % of what HBM could move. From 1,024 columns on DMA goes from row to
//!   row with steps that open a row of the same bank again: 11,003 cycles and 64 %, with 4,096 columns 53,871 and 52 %.
//!   With `TileInHbm = m![Width / 128, Place % 512, Width % 128]` in `experts.rs`, the order of DMA, it is 9,499 and
//!   74 %, 30,848 and 91 %.
//! - `Step` and `Feature` are as Sample and Channel; `OneWindow` says how many windows there are: up to 1,015, whose
//!   sums fill DM.
//!
//! Sizes that a mapping does not divide are refused, and so are a tile that is not one of as many as there are and an
//! axis that leaves a cluster without work.
//!
//! # What to try
//!
//! - Give the clusters tokens instead of columns (`Half = m![Token / 64]`, 16 parts): the exchange is gone.
//! - Load the next tile of `expert_sum` behind the sum of this one: DMA waits for each pass, 520 cycles more.
//! - In `batch_statistics` let each slice take its own mean and square, and combine those as `layer_norm` does: then
//!   samples are read once, and need not stay.

use furiosa_visa_std::prelude::*;

mod split_reduce_kernels;
use split_reduce_kernels::{batch_statistics, expert_sum, layer_norm, window_sums};

axes![Token = 128, Hidden = 8192, Stat = 2, Pair = 2]; // layer norm
axes![Sample = 4096, Channel = 256, Everywhere = 256]; // batch norm
axes![Expert = 4, Place = 1024, Width = 256, Twice = 2]; // experts
axes![Step = 8192, Feature = 256]; // windows

type Chip = m![1];

const EPSILON: f32 = 1.0e-5;

// ---- the host

// Numbers that bf16 holds, with another mean in each row and in each part of it. After 61 rows they repeat: no two
// tiles, clusters or slices have the same ones in the same places.
fn numbers(rows: usize, columns: usize) -> Vec<Opt<bf16>> {
    let number = |row: usize, column: usize| {
        ((column * 29 + row * 5) % 64) as f32 / 8.0 - (row % 8) as f32 + (column * 8 / columns) as f32
    };
    let mut numbers: Vec<Opt<bf16>> = (0..61 * columns)
        .map(|e| Opt::Init(bf16::from_f32(number(e / columns, e % columns))))
        .collect();
    while numbers.len() < rows * columns {
        let more = numbers.len().min(rows * columns - numbers.len());
        numbers.extend_from_within(..more);
    }
    numbers
}

fn value(number: &Opt<bf16>) -> f64 {
    number.unwrap().to_f32() as f64
}

// Results in bf16 are rounded by one part in 256 at most; what f32 loses of numbers up to 16 is far below the rest.
fn compare(found: f32, expected: f64, place: usize) {
    let tolerance = expected.abs() / 250.0 + 1.0e-5;
    assert!((found as f64 - expected).abs() <= tolerance, "number {place}: {found} instead of {expected}");
}

// Mean and variance.
fn moments(numbers: &Vec<f64>) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().map(|v| *v).sum::<f64>() / count;
    (mean, numbers.iter().map(|v| (*v - mean) * (*v - mean)).sum::<f64>() / count)
}

#[tokio::test]
async fn layer_norm_over_clusters_and_slices() {
    let mut x = numbers(Token::SIZE, Hidden::SIZE);
    let small = 31; // a token that is compared below, with a variance near EPSILON
    for e in small * Hidden::SIZE..(small + 1) * Hidden::SIZE {
        x[e] = Opt::Init(bf16::from_f32(x[e].unwrap().to_f32() / 1024.0));
    }
    let mut ctx = Context::acquire();
    let rows = HostTensor::<bf16, m![Token, Hidden]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, m![Token, Hidden]>::from_addr(1 << 30) };
    launch(layer_norm, (&mut *ctx, &rows, &mut y)).await;
    let y = y.to_host::<m![Token, Hidden]>(&mut ctx.pdma).await.to_buf();
    for token in (0..Token::SIZE).step_by(31) {
        let row: Vec<f64> = x[token * Hidden::SIZE..(token + 1) * Hidden::SIZE].iter().map(value).collect();
        let (mean, variance) = moments(&row);
        for h in 0..Hidden::SIZE {
            let e = token * Hidden::SIZE + h;
            compare(y[e].unwrap().to_f32(), (row[h] - mean) / (variance + EPSILON as f64).sqrt(), e);
        }
    }
}

#[tokio::test]
async fn statistics_of_channels() {
    let x = numbers(Sample::SIZE, Channel::SIZE);
    let mut ctx = Context::acquire();
    let samples = HostTensor::<bf16, m![Sample, Channel]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let mut means = unsafe { HbmTensor::<f32, Chip, m![Channel]>::from_addr(1 << 30) };
    let mut variances = unsafe { HbmTensor::<f32, Chip, m![Channel]>::from_addr(2 << 30) };
    launch(batch_statistics, (&mut *ctx, &samples, &mut means, &mut variances)).await;
    let means = means.to_host::<m![Channel]>(&mut ctx.pdma).await.to_buf();
    let variances = variances.to_host::<m![Channel]>(&mut ctx.pdma).await.to_buf();
    for c in (0..Channel::SIZE).step_by(15) {
        let channel: Vec<f64> = (0..Sample::SIZE).map(|n| value(&x[n * Channel::SIZE + c])).collect();
        let (mean, variance) = moments(&channel);
        // f32: a sum of 4096 numbers in a tree of 12 levels is off by 12 parts in 2^24 of their sizes at most
        assert!((means[c].unwrap() as f64 - mean).abs() <= 1.0e-5, "mean of {c}");
        assert!((variances[c].unwrap() as f64 - variance).abs() <= 1.0e-4, "variance of {c}");
    }
}

#[tokio::test]
async fn weighted_sum_of_experts() {
    let outputs = numbers(Expert::SIZE * Place::SIZE, Width::SIZE);
    let weight = |p: usize, e: usize| ((p * 3 + e * 5) % 61) as f32 / 64.0; // no two tiles have the same ones
    let weights: Vec<Opt<f32>> = (0..Place::SIZE * Expert::SIZE * 2)
        .map(|i| Opt::Init(weight(i / 2 / Expert::SIZE, i / 2 % Expert::SIZE)))
        .collect();
    let mut ctx = Context::acquire();
    let outputs_hbm =
        HostTensor::<bf16, m![Expert, Place, Width]>::from_buf(outputs.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let weights = HostTensor::<f32, m![Place, Expert, Twice]>::from_buf(weights).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut y = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(expert_sum, (&mut *ctx, &outputs_hbm, &weights, &mut y)).await;
    let y = y.to_host::<m![Place, Width]>(&mut ctx.pdma).await.to_buf();
    for i in (0..Place::SIZE * Width::SIZE).step_by(7) {
        let (p, w) = (i / Width::SIZE, i % Width::SIZE);
        let of = |e: usize| value(&outputs[(e * Place::SIZE + p) * Width::SIZE + w]) * weight(p, e) as f64;
        compare(y[i].unwrap().to_f32(), (0..Expert::SIZE).map(of).sum(), i);
    }
}

#[tokio::test]
async fn sum_of_all_windows() {
    let x = numbers(Step::SIZE, Feature::SIZE);
    let mut ctx = Context::acquire();
    let steps = HostTensor::<bf16, m![Step, Feature]>::from_buf(x.clone()).to_hbm(&mut ctx.pdma, 0).await;
    let mut y = unsafe { HbmTensor::<f32, Chip, m![Feature]>::from_addr(1 << 30) };
    launch(window_sums, (&mut *ctx, &steps, &mut y)).await;
    let y = y.to_host::<m![Feature]>(&mut ctx.pdma).await.to_buf();
    for f in (0..Feature::SIZE).step_by(11) {
        let expected: f64 = (0..Step::SIZE).map(|n| value(&x[n * Feature::SIZE + f])).sum();
        assert_eq!(y[f].unwrap() as f64, expected, "feature {f}"); // eighths below 2^17: exact in f32
    }
}
