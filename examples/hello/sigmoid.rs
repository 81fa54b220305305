//! A sigmoid: the float path of the Vector Engine.
//!
//! Float operations work on four lanes at a time, the rest of the Vector Engine on eight. `vector_split` sends the two
//! halves of a flit one after the other, `vector_concat` puts them together again; the mappings show it, since half of
//! the packet moves into time and back. The data is bf16 in memory and f32 in between.
//!
//! Engines: DMA, Fetch (with a cast), Collect, Vector (narrow, float, widen), Cast, Commit.
//! Memory in a slice: input at 0, result at 0x1000 (16 bytes each).

use furiosa_visa_std::prelude::*;

axes![N = 2048];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 8];

#[device(chip = 1)]
fn sigmoid(ctx: &mut Context, input: &HbmTensor<bf16, Chip, m![N]>) -> HbmTensor<bf16, Chip, m![N]> {
    let dm = input.to_dm::<Cluster, Slice, m![N % 8]>(&mut ctx.tdma, 0);
    let out: DmTensor<bf16, Chip, Cluster, Slice, m![N % 8]> = ctx
        .main
        .begin(dm.view())
        .fetch::<f32, m![1], m![N % 8]>() // bf16 -> f32
        .collect::<m![1], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_split::<m![N / 4 % 2], m![N % 4]>() // narrow: two packets of four lanes
        .vector_fp_binary(FpBinaryOp::MulF(FpMulAlu::Mul0), 2.0f32)
        .vector_fp_unary(FpUnaryOp::Sigmoid)
        .vector_concat::<m![1], m![N % 8]>() // widen: one packet of eight
        .vector_final()
        .cast::<bf16, m![N % 8 # 16]>()
        .commit(0x1000);
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Runs the kernel on the chip.
async fn run(values: Vec<f32>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let input = HostTensor::<bf16, m![N]>::from_buf(values.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(sigmoid, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap().to_f32()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..2048).map(|i| (i as f32 - 1024.0) / 256.0).collect()).await;
    println!("the sigmoid of 2x for x = -4, -1, 0, 1: {}, {}, {}, {}", out[0], out[768], out[1024], out[1280]);
    assert_eq!(out[1024], 0.5);
    assert!(out[768] < 0.12 && out[1280] > 0.87);
}

// Half a unit in the last of the eight bits of bf16 is the most that a result may be off.
#[tokio::test]
async fn close_to_the_real_one() {
    let out = run((0..2048).map(|i| (i as f32 - 1024.0) / 128.0).collect()).await;
    for i in 0..2048 {
        let x = bf16::from_f32((i as f32 - 1024.0) / 128.0).to_f32();
        let exact = 1.0 / (1.0 + (-2.0 * x).exp());
        assert!((out[i] - exact).abs() <= exact / 256.0, "{x}: {} is not {exact}", out[i]);
    }
}

#[tokio::test]
async fn saturates_far_from_zero() {
    let out = run((0..2048).map(|i| if i % 2 == 0 { -100.0 } else { 100.0 }).collect()).await;
    for i in 0..2048 {
        assert_eq!(out[i], (i % 2) as f32);
    }
}
