//! What stands between the layers of a network: GELU, SiLU and SwiGLU of every number of a vector.
//!
//!     gelu    y = x * (1 + erf(x / sqrt(2))) / 2
//!     silu    y = x * sigmoid(x)
//!     swiglu  y = x * silu(gate)
//!
//! Each is one pass of the Vector Engine: its ALUs stand in a row, and each does one operation in a pass. The argument
//! is needed twice, at the beginning and at the end: `vector_stash` keeps it, and the `Stash` of a later operation is
//! it again. GELU takes both multipliers, the FPU and the multiply-add: (1 + erf) / 2 is 0.5 * erf + 0.5. (The
//! approximation of it by tanh of a polynomial would take three multipliers, which are not there.) SwiGLU has a second
//! argument for each number: the sub context brings it to VRF.
//!
//! # Mapping
//!
//! No number needs another one, so any mapping gives the same result; this one suits DMA. 512 numbers that follow each
//! other, 1 KiB, go to a slice, the next 512 to the next one. Tiles of 1,048,576 numbers, four times 512 in each slice,
//! come one after the other: while one is computed the next one is loaded. Its load stands in front of the store of
//! this one, since DMA takes its commands in order and one that waits for a pass holds up all behind it.
//!
//! # Engines and memory
//!
//! DMA, Fetch (bf16 to f32), Collect, Vector (narrow, stash, float, widen), Cast, Commit; the sub context for VRF. In a
//! slice two tiles of x, of y and of gate, in turn, 4 KiB each. VRF: 8 KiB in SwiGLU, all of it.
//!
//! # What bounds it
//!
//! HBM: 4 MiB in, 4 MiB out, at 1.5 TB/s 5,592 cycles (8,389 for SwiGLU). Predicted: 7,460 for `gelu` and `silu`,
//! 11,190 for `swiglu`, 75 % of what HBM could move. All of that is DMA, in commands of 1,865 that follow each other
//! without a gap: 500 to start and 1,365 for 2 MiB. A pass takes 512 steps, since floats go four at a time; it is
//! hidden. In a model these follow a product whose results are in DM, or are part of its pass: `accumulate` can be
//! followed by all of this directly.
//!
//! # Sizes
//!
//! N is any multiple of 1,048,576, as many tiles as `OneTile` says. A tile is 512 slices x 512 numbers x 4; 4 is the
//! most that VRF holds for SwiGLU, the others could have 32. Other sizes are refused (E0107, E0521).
//!
//! # What to try
//!
//! - Larger tiles: N = 8388608, `4194304` for `1048576`, `N / 262144 % 16` for `% 4`. With fewer starts `gelu` and
//!   `silu` are at 93.8 % of what HBM could move. `swiglu` is refused (E0644): its factors take 32 KiB of VRF, which
//!   has 8.
//! - One place for x in the place of two: loads wait for passes.
//! - Leave out erf, sigmoid and products: not a cycle less, which is what bound by HBM means.

use furiosa_visa_std::prelude::*;

axes![N = 2097152];

type Chip = m![1];
type Cluster = m![N / 131072 % 2];
type Slice = m![N / 512 % 256];
type OneTile = m![1 # 2, N % 1048576]; // of N / 1048576
type Element = m![N / 262144 % 4, N % 512]; // of a tile
type Wide = m![N / 262144 % 4, N / 8 % 64];
type Narrow = m![N / 262144 % 4, N / 4 % 128];
type Numbers = DmTensor<bf16, Chip, Cluster, Slice, Element>;

const TILES: usize = <m![N / 1048576]>::SIZE;
const TILE_BYTES: u64 = (<Element>::SIZE * 2) as u64;
const X_ADDRESS: u64 = 0; // two tiles, in turn, of each
const Y_ADDRESS: u64 = X_ADDRESS + 2 * TILE_BYTES;
const GATE_ADDRESS: u64 = Y_ADDRESS + 2 * TILE_BYTES;

fn buffers(address: u64) -> [Numbers; 2] {
    unsafe { [DmTensor::from_addr(address), DmTensor::from_addr(address + TILE_BYTES)] }
}

fn load(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![N]>, numbers: &mut Numbers, tile: usize) {
    x.view().tile::<m![N / 1048576], 1, OneTile>(tile).to_dm_view(&mut ctx.tdma, numbers.view_mut());
}

fn store(ctx: &mut Context, numbers: &Numbers, y: &mut HbmTensor<bf16, Chip, m![N]>, tile: usize) {
    numbers.view().to_hbm_view(&mut ctx.tdma, y.view_mut().tile::<m![N / 1048576], 1, OneTile>(tile));
}

fn y_address(tile: usize) -> u64 {
    Y_ADDRESS + (tile % 2) as u64 * TILE_BYTES
}

#[device(chip = 1)]
fn gelu(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![N]>, y: &mut HbmTensor<bf16, Chip, m![N]>) {
    let mut numbers = buffers(X_ADDRESS);
    load(ctx, x, &mut numbers[0], 0);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            load(ctx, x, &mut numbers[(tile + 1) % 2], tile + 1); // in front of the store, which waits for the pass
        }
        let results: Numbers = ctx
            .main
            .begin(numbers[tile % 2].view())
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
            .commit(y_address(tile));
        store(ctx, &results, y, tile);
    }
}

#[device(chip = 1)]
fn silu(ctx: &mut Context, x: &HbmTensor<bf16, Chip, m![N]>, y: &mut HbmTensor<bf16, Chip, m![N]>) {
    let mut numbers = buffers(X_ADDRESS);
    load(ctx, x, &mut numbers[0], 0);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            load(ctx, x, &mut numbers[(tile + 1) % 2], tile + 1);
        }
        let results: Numbers = ctx
            .main
            .begin(numbers[tile % 2].view())
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
            .commit(y_address(tile));
        store(ctx, &results, y, tile);
    }
}

#[device(chip = 1)]
fn swiglu(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![N]>,
    gate: &HbmTensor<bf16, Chip, m![N]>,
    y: &mut HbmTensor<bf16, Chip, m![N]>,
) {
    let (mut numbers, mut gates) = (buffers(X_ADDRESS), buffers(GATE_ADDRESS));
    load(ctx, x, &mut numbers[0], 0);
    load(ctx, gate, &mut gates[0], 0);
    for tile in 0..TILES {
        if tile + 1 < TILES {
            load(ctx, x, &mut numbers[(tile + 1) % 2], tile + 1);
            load(ctx, gate, &mut gates[(tile + 1) % 2], tile + 1);
        }
        let factors: VrfTensor<f32, Chip, Cluster, Slice, Element> = ctx
            .sub
            .begin(numbers[tile % 2].view())
            .fetch::<f32, Wide, m![N % 8]>()
            .collect::<Wide, m![N % 8]>()
            .to_vrf(0);
        let results: Numbers = ctx
            .main
            .begin(gates[tile % 2].view())
            .fetch::<f32, Wide, m![N % 8]>()
            .collect::<Wide, m![N % 8]>()
            .vector_init()
            .vector_intra_slice_branch(BranchMode::Unconditional)
            .vector_split::<Narrow, m![N % 4]>()
            .vector_stash()
            .vector_fp_unary(FpUnaryOp::Sigmoid)
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), Stash)
            .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul1), &factors)
            .vector_concat::<Wide, m![N % 8]>()
            .vector_final()
            .cast::<bf16, m![N % 8 # 16]>()
            .commit(y_address(tile));
        store(ctx, &results, y, tile);
    }
}

// ---- the host

// A number that bf16 holds, between -4 and 4.
fn number(step: usize, i: usize) -> f32 {
    bf16::from_f32((i * step % 1021) as f32 / 128.0 - 4.0).to_f32()
}

// They repeat after 1021, so that a few have to be made, and the rest copied.
fn to_host(step: usize) -> HostTensor<bf16, m![N]> {
    let round: Vec<Opt<bf16>> = (0..1021).map(|i| Opt::Init(bf16::from_f32(number(step, i)))).collect();
    HostTensor::from_buf((0..N::SIZE).map(|i| round[i % 1021]).collect())
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
    let x = to_host(7).to_hbm(&mut ctx.pdma, 0).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, m![N]>::from_addr(1 << 30) };
    launch(gelu, (&mut *ctx, &x, &mut y)).await;
    let y = y.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    for i in (0..N::SIZE).step_by(1013) {
        let x = number(7, i) as f64;
        compare(y[i].unwrap().to_f32() as f64, x * 0.5 * (1.0 + erf(x / 2.0_f64.sqrt())), number(7, i));
    }
}

#[tokio::test]
async fn silu_is_close_to_the_real_one() {
    let mut ctx = Context::acquire();
    let x = to_host(5).to_hbm(&mut ctx.pdma, 0).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, m![N]>::from_addr(1 << 30) };
    launch(silu, (&mut *ctx, &x, &mut y)).await;
    let y = y.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    for i in (0..N::SIZE).step_by(61) {
        compare(y[i].unwrap().to_f32() as f64, real_silu(number(5, i)), number(5, i));
    }
}

#[tokio::test]
async fn swiglu_is_close_to_the_real_one() {
    let mut ctx = Context::acquire();
    let x = to_host(3).to_hbm(&mut ctx.pdma, 0).await;
    let gate = to_host(11).to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut y = unsafe { HbmTensor::<bf16, Chip, m![N]>::from_addr(1 << 30) };
    launch(swiglu, (&mut *ctx, &x, &gate, &mut y)).await;
    let y = y.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();
    for i in (0..N::SIZE).step_by(61) {
        compare(y[i].unwrap().to_f32() as f64, number(3, i) as f64 * real_silu(number(11, i)), number(11, i));
    }
}
