//! Multiplying two vectors element by element: the second operand waits in a register file.
//!
//! An operation of the Vector Engine has one stream and one operand. A constant is an operand; so is a tensor in the
//! vector register file (VRF), 8 KiB in every slice. The sub context loads it there while the main context is free for
//! other work, then the main context streams the left vector past it.
//!
//! Engines: DMA, Fetch and Collect in both contexts, Vector (fixed point), Commit.
//! Memory in a slice: left at 0, right at 0x1000, product at 0x2000 (64 bytes each); VRF 0..64.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![N = 4096];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 16];
type Element = m![N % 16];

#[device(chip = 1)]
fn multiply(
    ctx: &mut Context,
    left: &HbmTensor<i32, Chip, m![N]>,
    right: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let left = left.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let right = right.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);

    // The sub context: DM -> registers.
    let factor: VrfTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .sub
        .begin(right.view())
        .fetch::<i32, m![N / 8 % 2], m![N % 8]>()
        .collect::<m![N / 8 % 2], m![N % 8]>()
        .to_vrf(0);

    // The main context: each flit meets the eight factors of the same index.
    let product: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin(left.view())
        .fetch::<i32, m![N / 8 % 2], m![N % 8]>()
        .collect::<m![N / 8 % 2], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_branch(BranchMode::Unconditional)
        .vector_fxp(FxpBinaryOp::MulInt, &factor)
        .vector_final()
        .commit(0x2000);
    product.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(2);
    let left = HostTensor::<i32, m![N]>::rand(&mut rng);
    let right = HostTensor::<i32, m![N]>::rand(&mut rng);

    let left_hbm = left.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let right_hbm = right.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(multiply, (&mut *ctx, &left_hbm, &right_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await;

    let expected = left.into_inner().zip_with(&right.into_inner(), |a, b| a * b);
    assert_eq!(out.to_buf(), expected.to_buf());
}
