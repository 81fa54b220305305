//! Small things that tests of kernels are full of: reference loops, comparisons with a tolerance, tables of cases.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![S = 256, L = 8, K = 32];

type Chip = m![1];
type Cluster = m![1 # 2];

/// What the Vector Engine computes, for one element.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Add(i32),
    Mul(i32),
    Clip { low: i32, high: i32 },
    Shift(u32),
}

impl Step {
    fn apply(self, x: i32) -> i32 {
        match self {
            Step::Add(n) => x.wrapping_add(n),
            Step::Mul(n) => x.wrapping_mul(n),
            Step::Clip { low, high } => x.clamp(low, high),
            Step::Shift(n) => x >> n,
        }
    }
}

fn reference(x: &[Opt<i32>], steps: &[Step]) -> Vec<Opt<i32>> {
    x.iter().map(|v| steps.iter().fold(*v, |v, step| v.map(|v| step.apply(v)))).collect()
}

#[device(chip = 1)]
fn pipeline(ctx: &mut Context, x: &HbmTensor<i32, Chip, m![S, L]>) -> HbmTensor<i32, Chip, m![S, L]> {
    let dm = x.to_dm::<Cluster, m![S], m![L]>(&mut ctx.tdma, 0);
    let y: DmTensor<i32, Chip, Cluster, m![S], m![L]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![L]>()
        .collect::<m![1], m![L]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::AddFxp, 100)
        .vector_fxp(FxpBinaryOp::MulInt, 3)
        .vector_fxp(FxpBinaryOp::ArithRightShift, 4)
        .vector_clip(ClipBinaryOpI32::Max, -1000)
        .vector_clip(ClipBinaryOpI32::Min, 1000)
        .vector_final()
        .commit(0x1000);
    y.to_hbm(&mut ctx.tdma, 1 << 28)
}

#[tokio::test]
async fn a_pipeline_against_its_steps() {
    let steps = [Step::Add(100), Step::Mul(3), Step::Shift(4), Step::Clip { low: -1000, high: 1000 }];
    let mut ctx = Context::acquire();
    for seed in [42, 7, 1 << 40] {
        let mut rng = SmallRng::seed_from_u64(seed);
        let x = HostTensor::<i32, m![S, L]>::rand(&mut rng);
        let x_hbm = x.to_hbm(&mut ctx.pdma, 0).await;
        let y = launch(pipeline, (&mut *ctx, &x_hbm)).await.to_host::<m![S, L]>(&mut ctx.pdma).await;
        assert_eq!(y.to_buf(), reference(&x.to_buf(), &steps), "seed {seed}");
    }
}

#[test]
fn steps_alone() {
    let x = vec![Opt::Init(5), Opt::Uninit, Opt::Init(i32::MAX)];
    assert_eq!(reference(&x, &[]), x);
    assert_eq!(reference(&x, &[Step::Add(1), Step::Mul(2)]), [Opt::Init(12), Opt::Uninit, Opt::Init(0)]);
    let cases: &[(Step, i32, i32)] = &[
        (Step::Shift(1), -3, -2),
        (Step::Clip { low: 0, high: 9 }, 12, 9),
        (Step::Mul(-1), i32::MIN, i32::MIN),
    ];
    for &(step, input, output) in cases {
        assert_eq!(step.apply(input), output, "{step:?} of {input}");
    }
}

fn assert_close(got: &[Opt<f32>], want: &[f32], tolerance: f32) {
    assert_eq!(got.len(), want.len(), "lengths differ");
    for (i, (g, w)) in got.iter().zip(want.iter()).enumerate() {
        let g = g.unwrap();
        let error = (g - w).abs() / w.abs().max(1.0);
        assert!(error <= tolerance, "element {i}: {g} is not {w} (error {error:.3e})");
    }
}

#[test]
fn close_enough() {
    let want = [1.0, -2.0, 1000.0];
    assert_close(&[1.0, -2.0000002, 1000.0001].map(Opt::Init), &want, 1e-6);
    assert_close(&[], &[], 0.0);
}

#[test]
#[should_panic(expected = "element 1: -2.5 is not -2 (error 2.500e-1)")]
fn not_close_enough() {
    assert_close(&[1.0, -2.5].map(Opt::Init), &[1.0, -2.0], 1e-3);
}

#[test]
#[should_panic(expected = "lengths differ")]
fn lists_of_different_lengths() {
    assert_close(&[Opt::Init(1.0)], &[], 1.0);
}

#[test]
fn a_matrix_product_by_hand() {
    let (rows, inner, columns) = (4, 3, 2);
    let a: Vec<i32> = (0..rows * inner).map(|x| x as i32 - 5).collect();
    let b: Vec<i32> = (0..inner * columns).map(|x| (x * x) as i32).collect();
    let mut c = vec![0i32; rows * columns];
    for i in 0..rows {
        for j in 0..columns {
            for k in 0..inner {
                c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
            }
        }
    }
    assert_eq!(c, [-64, -116, -4, -11, 56, 94, 116, 199]);
}

#[test]
fn quantisation_by_hand() {
    let scale = 127.0 / 3.5f32;
    let quantise = |x: f32| (x * scale).round().clamp(-128.0, 127.0) as i8;
    let q: Vec<i8> = [0.0, 1.0, -1.0, 3.5, -3.6, 9.0].iter().map(|&x| quantise(x)).collect();
    assert_eq!(q, [0, 36, -36, 127, -128, 127]);
    let back: Vec<f32> = q.iter().map(|&q| q as f32 / scale).collect();
    assert!((back[1] - 1.0).abs() < 0.01);
}

#[test]
fn packing_four_bits() {
    let values: Vec<i32> = vec![-8, 7, 0, -1];
    let packed: Vec<u8> = values.chunks(2).map(|p| (p[0] & 0xf) as u8 | ((p[1] & 0xf) as u8) << 4).collect();
    assert_eq!(packed, [0x78, 0xf0]);
    let unpacked: Vec<i32> =
        packed.iter().flat_map(|&b| [b & 0xf, b >> 4]).map(|n| ((n as i32) << 28) >> 28).collect();
    assert_eq!(unpacked, values);
    let direct: Vec<i32> = values.iter().map(|&v| i4::from_i32(v & 0xf).to_i32()).collect();
    assert_eq!(direct, values);
}

#[test]
fn statistics() {
    let t = HostTensor::<f32, m![S, L]>::rand(&mut SmallRng::seed_from_u64(1)).to_buf();
    let values: Vec<f64> = t.iter().map(|x| f64::from(x.unwrap())).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    assert!((mean - 0.5).abs() < 0.05, "mean {mean}");
    assert!((variance - 1.0 / 12.0).abs() < 0.01, "variance {variance:.4}");
    let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), &x| (l.min(x), h.max(x)));
    assert!(0.0 <= low && low < 0.01 && 0.99 < high && high < 1.0);
}

#[test]
fn coordinates_of_positions() {
    let at = |s: usize, l: usize| s * <m![L]>::SIZE + l;
    let t = HostTensor::<i32, m![S, L]>::from_buf((0..2048).map(|i| Opt::Init((i / 8) * 100 + i % 8)).collect());
    let buf = t.to_buf();
    for (s, l) in [(0, 0), (3, 7), (255, 1)] {
        assert_eq!(buf[at(s, l)], Opt::Init((s * 100 + l) as i32));
    }
    let column: Vec<i32> = buf.iter().skip(2).step_by(8).take(3).map(|v| v.unwrap()).collect();
    assert_eq!(column, [2, 102, 202]);
}

#[test]
fn tables_of_layouts() {
    let layouts = [("rows", <m![S, L]>::SIZE), ("padded", <m![S # 300, L]>::SIZE), ("part", <m![K / 4 % 2]>::SIZE)];
    let text: Vec<String> = layouts.iter().map(|(name, size)| format!("{name:>8}: {size:5}")).collect();
    assert_eq!(text.join("\n"), "    rows:  2048\n  padded:  2400\n    part:     2");
}

mod helpers {
    use super::*;

    pub fn ramp<E: M>(start: f32, step: f32) -> HostTensor<f32, E> {
        HostTensor::from_buf((0..E::SIZE).map(|i| Opt::Init(start + step * i as f32)).collect())
    }

    pub async fn roundtrip<E: M>(ctx: &mut Context, t: &HostTensor<f32, E>) -> HostTensor<f32, E> {
        let sent: HbmTensor<f32, m![1], E> = t.to_hbm(&mut ctx.pdma, 0x1000).await;
        sent.to_host(&mut ctx.pdma).await
    }
}

#[tokio::test]
async fn helpers_are_generic_over_mappings() {
    let mut ctx = Context::acquire();
    let t = helpers::ramp::<m![K]>(-1.0, 0.125);
    let back = helpers::roundtrip(&mut ctx, &t).await;
    assert_eq!(back.to_buf(), t.to_buf());
    assert_eq!(back.to_buf()[8], Opt::Init(0.0));
    let pair = helpers::roundtrip(&mut ctx, &helpers::ramp::<m![L, K]>(0.0, 1.0)).await;
    assert_eq!(pair.to_buf().len(), 256);
}
