//! Scaling and ReLU on bytes: widen, compute, narrow.
//!
//! The Vector Engine computes in 32 bits. The fetch widens the i8 data on its way in (eight bytes become one flit of
//! eight i32), two fixed-point operations scale it by 3/4, two clip operations cut it to 0..=100, and the Cast Engine
//! narrows it again. Each of the four operations uses another ALU, so they all fit into one pass.
//!
//! Engines: DMA, Fetch (with a cast), Collect, Vector (fixed point, clip), Cast, Commit.
//! Memory in a slice: input at 0, result at 0x1000 (8 bytes each).

use furiosa_visa_std::prelude::*;

axes![N = 2048];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 8];

#[device(chip = 1)]
fn scaled_relu(ctx: &mut Context, input: &HbmTensor<i8, Chip, m![N]>) -> HbmTensor<i8, Chip, m![N]> {
    let dm = input.to_dm::<Cluster, Slice, m![N % 8]>(&mut ctx.tdma, 0);
    let out: DmTensor<i8, Chip, Cluster, Slice, m![N % 8]> = ctx
        .main
        .begin(dm.view())
        .fetch::<i32, m![1], m![N % 8]>() // i8 -> i32: 32 bytes
        .collect::<m![1], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, 3) // FxpMul
        .vector_fxp(FxpBinaryOp::ArithRightShift, 2) // FxpRshift
        .vector_clip(ClipBinaryOpI32::Max, 0) // ClipMax: ReLU
        .vector_clip(ClipBinaryOpI32::Min, 100) // ClipMin
        .vector_final()
        .cast::<i8, m![N % 8 # 32]>() // eight bytes of data in a flit
        .commit(0x1000); // only the eight bytes are written
    out.to_hbm(&mut ctx.tdma, 1 << 28)
}

// Runs the kernel on the chip.
async fn run(values: Vec<i8>) -> Vec<i8> {
    let mut ctx = Context::acquire();
    let input = HostTensor::<i8, m![N]>::from_buf(values.into_iter().map(Opt::Init).collect());
    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(scaled_relu, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..2048).map(|i| (i % 256 - 128) as i8).collect()).await;
    println!("-128 becomes {}, 0 becomes {}, 80 becomes {}, 127 becomes {}", out[0], out[128], out[208], out[255]);
    assert_eq!((out[0], out[128], out[208], out[255]), (0, 0, 60, 95));
}

// All 256 bytes there are, eight times.
#[tokio::test]
async fn every_byte() {
    let out = run((0..2048).map(|i| i as i8).collect()).await;
    for i in 0..2048 {
        let x = i as i8 as i32;
        assert_eq!(out[i] as i32, ((x * 3) >> 2).clamp(0, 100), "{x}");
    }
}
