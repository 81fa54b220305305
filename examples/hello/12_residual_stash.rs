//! A residual connection: y = x + tanh(x), with x kept aside while the pass goes on.
//!
//! The Vector Engine has one stash a pass. `vector_stash` takes a snapshot of the stream, here at the entry; the stream
//! goes on through the float stages, and the clip stage adds the snapshot back. The snapshot was taken with eight lanes
//! and is read with eight lanes, the narrowing in between does not matter.
//!
//! Engines: DMA, Fetch, Collect, Vector (stash, narrow, float, widen, clip), Commit.
//! Memory in a slice: input at 0, result at 0x1000 (64 bytes each).

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

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

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(12);
    let input = HostTensor::<f32, m![N]>::rand(&mut rng);

    let in_hbm = input.to_hbm(&mut ctx.pdma, 0).await;
    let out_hbm = launch(residual, (&mut *ctx, &in_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();

    let input = input.to_buf();
    for i in 0..4096 {
        let x = input[i].unwrap();
        assert!((out[i].unwrap() - (x + x.tanh())).abs() < 1e-5, "element {i}");
    }
}
