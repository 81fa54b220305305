//! A residual connection: y = x + tanh(x), with x kept aside while the pass goes on.
//!
//! The Vector Engine has one stash a pass. `vector_stash` takes a snapshot of the stream, here at the entry; the stream
//! goes on through the float stages, and the clip stage adds the snapshot back. The snapshot was taken with eight lanes
//! and is read with eight lanes, the narrowing in between does not matter.
//!
//! Engines: DMA, Fetch, Collect, Vector (stash, narrow, float, widen, clip), Commit.
//! Memory in a slice: input at 0, result at 0x1000 (64 bytes each).

use furiosa_visa_std::prelude::*;

axes![N = 4096];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 16];

#[device(chip = 1)]
fn residual(ctx: &mut Context, input: &HbmTensor<f32, Chip, m![N]>) -> HbmTensor<f32, Chip, m![N]> {
    let dm = input.to_dm::<Cluster, Slice, m![N % 16]>(&mut ctx.tdma, 0);
    let out: DmTensor<f32, Chip, Cluster, Slice, m![N % 16]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![N / 8 % 2], m![N % 8]>()
        .collect::<m![N / 8 % 2], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_stash() // x
        .vector_split::<m![N / 4 % 4], m![N % 4]>()
        .vector_fp_unary(FpUnaryOp::Tanh) // tanh(x)
        .vector_concat::<m![N / 8 % 2], m![N % 8]>()
        .vector_clip(ClipBinaryOpF32::Add, Stash) // tanh(x) + x
        .vector_final()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Runs the kernel on the chip.
async fn run(values: Vec<f32>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let input = HostTensor::<f32, m![N]>::from_buf(values.into_iter().map(Opt::Init).collect());
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(residual, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..4096).map(|i| i as f32 / 1024.0 - 2.0).collect()).await;
    println!("x + tanh(x) for x = -2, 0, 1: {}, {}, {}", out[0], out[2048], out[3072]);
    assert_eq!(out[2048], 0.0);
    assert!((out[0] + 2.964).abs() < 1e-3 && (out[3072] - 1.7616).abs() < 1e-3);
}

#[tokio::test]
async fn keeps_what_it_started_from() {
    let value = |i: usize| (i as f32 - 2048.0) / 300.0;
    let out = run((0..4096).map(value).collect()).await;
    for i in 0..4096 {
        let x = value(i);
        assert!((out[i] - (x + x.tanh())).abs() < 1e-5, "{x}: {}", out[i]);
    }
}

// The tangent has long reached one: what is left is the addition.
#[tokio::test]
async fn far_from_zero_it_adds_one() {
    let out = run((0..4096).map(|i| if i % 2 == 0 { 100.0 } else { -100.0 }).collect()).await;
    for i in 0..4096 {
        assert_eq!(out[i], if i % 2 == 0 { 101.0 } else { -101.0 });
    }
}
