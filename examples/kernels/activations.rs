//! What stands between the layers of a network: GELU, SiLU and SwiGLU of every number of a vector.
//!
//!     gelu    y = x * (1 + erf(x / sqrt(2))) / 2
//!     silu    y = x * sigmoid(x)
//!     swiglu  y = x * silu(gate)
//!
//! Each is one pass of the Vector Engine: its ALUs stand in a row, and each does one operation in a pass. The
//! argument is needed twice, at the beginning and at the end: `vector_stash` keeps it, and the `Stash` of a later
//! operation is it again. GELU takes both multipliers, the FPU and the multiply-add: (1 + erf) / 2 is 0.5 * erf +
//! 0.5. (The approximation of it by tanh of a polynomial would take three multipliers, which are not there.) SwiGLU
//! has a second argument for each number: the sub context brings it to VRF while the main context works on something
//! else.
//!
//! # What bounds it
//!
//! HBM: 2 MiB in, 2 MiB out, at 1.5 TB/s 2,796 cycles (4,194 for SwiGLU). A pass takes 512 steps, since floats go
//! four at a time. Predicted: 4,248, 4,246 and 6,112 cycles, of which each DMA command takes 500 to start. In a model
//! these follow a product whose results are in DM, or are part of its pass: `accumulate` can be followed by all of
//! this directly.
//!
//! Engines: DMA, Fetch (bf16 to f32), Collect, Vector (narrow, stash, float, widen), Cast, Commit.
//! Memory in a slice: x at 0, y at 0x4000, gate at 0x8000 (4 KiB each); SwiGLU: VRF 8 KiB, all of it.
//!
//! Sizes: N = 512 slices x 512 numbers x any number, which stands in `Element`, `Wide` and `Narrow` outermost (262144
//! = 512 x 512); at most 4, since VRF holds 2048 floats for SwiGLU, and 16 for the others.

use furiosa_visa_std::prelude::*;

axes![N = 1048576];

type Chip = m![1];
type Cluster = m![N / 131072 % 2];
type Slice = m![N / 512 % 256];
type Element = m![N / 262144, N % 512];
type Numbers = DmTensor<bf16, Chip, Cluster, Slice, Element>;
type Wide = m![N / 262144, N / 8 % 64];
type Narrow = m![N / 262144, N / 4 % 128];

#[device(chip = 1)]
fn gelu(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![N]>) -> HbmTensor<bf16, Chip, m![N]> {
    let x: Numbers = x.to_dm(&mut ctx.tdma, 0);
    let y: Numbers = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Wide, m![N % 8]>()
        .collect::<Wide, m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<Narrow, m![N % 4]>()
        .vector_stash()
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 0.70710678f32) // x / sqrt(2)
        .vector_fp_unary(FpUnaryOp::Erf)
        .vector_fp_ternary(FpTernaryOp::FmaF, (0.5f32, 0.5f32)) // (1 + erf) / 2
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), Stash)
        .vector_concat::<Wide, m![N % 8]>()
        .vector_final()
        .cast::<bf16, m![N % 8 # 16]>()
        .commit(0x4000);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn silu(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![N]>) -> HbmTensor<bf16, Chip, m![N]> {
    let x: Numbers = x.to_dm(&mut ctx.tdma, 0);
    let y: Numbers = ctx
        .main
        .begin(x.view())
        .fetch::<f32, Wide, m![N % 8]>()
        .collect::<Wide, m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<Narrow, m![N % 4]>()
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Sigmoid)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), Stash)
        .vector_concat::<Wide, m![N % 8]>()
        .vector_final()
        .cast::<bf16, m![N % 8 # 16]>()
        .commit(0x4000);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn swiglu(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![N]>,
    gate: &HbmTensor<bf16, Chip, m![N]>,
) -> HbmTensor<bf16, Chip, m![N]> {
    let x: Numbers = x.to_dm(&mut ctx.tdma, 0);
    let gate: Numbers = gate.to_dm(&mut ctx.tdma, 0x8000);
    let x: VrfTensor<f32, Chip, Cluster, Slice, Element> = ctx
        .sub
        .begin(x.view())
        .fetch::<f32, Wide, m![N % 8]>()
        .collect::<Wide, m![N % 8]>()
        .to_vrf(0);
    let y: Numbers = ctx
        .main
        .begin(gate.view())
        .fetch::<f32, Wide, m![N % 8]>()
        .collect::<Wide, m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<Narrow, m![N % 4]>()
        .vector_stash()
        .vector_fp_unary(FpUnaryOp::Sigmoid)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), Stash)
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &x)
        .vector_concat::<Wide, m![N % 8]>()
        .vector_final()
        .cast::<bf16, m![N % 8 # 16]>()
        .commit(0x4000);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

fn numbers(step: usize) -> Vec<f32> {
    (0..N::SIZE).map(|i| bf16::from_f32((i * step % 1021) as f32 / 128.0 - 4.0).to_f32()).collect()
}

fn to_host(numbers: &Vec<f32>) -> HostTensor<bf16, m![N]> {
    HostTensor::from_buf(numbers.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect())
}

fn to_numbers(y: HostTensor<bf16, m![N]>) -> Vec<f64> {
    y.to_buf().into_iter().map(|v| v.unwrap().to_f32() as f64).collect()
}

// bf16 rounds by one part in 256; the f32 behind it are off by some 1e-7 of what is added.
fn compare(found: f64, expected: f64, what: f32) {
    assert!((found - expected).abs() <= expected.abs() / 250.0 + 1.0e-6, "of {what}: {found} instead of {expected}");
}

fn real_silu(x: f32) -> f64 {
    x as f64 / (1.0 + (-x as f64).exp())
}

// The series of erf, of arguments below 4.
fn erf(x: f64) -> f64 {
    let mut term = x;
    let mut sum = x;
    for n in 1..90 {
        term = -term * x * x / n as f64;
        sum += term / (2 * n + 1) as f64;
    }
    sum * 2.0 / 3.14159265358979_f64.sqrt()
}

#[tokio::test]
async fn gelu_is_close_to_the_real_one() {
    let mut ctx = Context::acquire();
    let x = numbers(7);
    let x_hbm = to_host(&x).to_hbm(&mut ctx.pdma, 0).await;
    let y = to_numbers(launch(gelu, (&mut *ctx, &x_hbm)).await.to_host(&mut ctx.pdma).await);
    for i in (0..N::SIZE).step_by(509) {
        let expected = x[i] as f64 * 0.5 * (1.0 + erf(x[i] as f64 / 2.0_f64.sqrt()));
        compare(y[i], expected, x[i]);
    }
}

#[tokio::test]
async fn silu_is_close_to_the_real_one() {
    let mut ctx = Context::acquire();
    let x = numbers(5);
    let x_hbm = to_host(&x).to_hbm(&mut ctx.pdma, 0).await;
    let y = to_numbers(launch(silu, (&mut *ctx, &x_hbm)).await.to_host(&mut ctx.pdma).await);
    for i in (0..N::SIZE).step_by(61) {
        compare(y[i], real_silu(x[i]), x[i]);
    }
}

#[tokio::test]
async fn swiglu_is_close_to_the_real_one() {
    let mut ctx = Context::acquire();
    let (x, gate) = (numbers(3), numbers(11));
    let x_hbm = to_host(&x).to_hbm(&mut ctx.pdma, 0).await;
    let gate_hbm = to_host(&gate).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let y = to_numbers(launch(swiglu, (&mut *ctx, &x_hbm, &gate_hbm)).await.to_host(&mut ctx.pdma).await);
    for i in (0..N::SIZE).step_by(61) {
        compare(y[i], x[i] as f64 * real_silu(gate[i]), gate[i]);
    }
}
