//! Multiplying two vectors element by element: the second operand waits in a register file.
//!
//! An operation of the Vector Engine has one stream and one operand. A constant is an operand; so is a tensor in the
//! vector register file (VRF), 8 KiB in every slice. The sub context loads it there while the main context is free for
//! other work, then the main context streams the left vector past it.
//!
//! Engines: DMA, Fetch and Collect in both contexts, Vector (fixed point), Commit.
//! Memory in a slice: left at 0, right at 0x1000, product at 0x2000 (64 bytes each); VRF 0..64.

use furiosa_visa_std::prelude::*;

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

// Runs the kernel on the chip: two vectors in, their product out.
async fn run(left: Vec<i32>, right: Vec<i32>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let left = HostTensor::<i32, m![N]>::from_buf(left.into_iter().map(Opt::Init).collect());
    let right = HostTensor::<i32, m![N]>::from_buf(right.into_iter().map(Opt::Init).collect());
    let left_hbm = left.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let right_hbm = right.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(multiply, (&mut *ctx, &left_hbm, &right_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..4096).collect(), (0..4096).map(|i| 4096 - i).collect()).await;
    println!("i * (4096 - i) for i = 1, 2, 3: {}, {}, {}; the largest, at 2048: {}", out[1], out[2], out[3], out[2048]);
    for i in 0..4096 {
        assert_eq!(out[i], (i * (4096 - i)) as i32);
    }
}

#[tokio::test]
async fn each_element_meets_its_own_factor() {
    let left: Vec<i32> = (0..4096).map(|i| 3 * i - 5000).collect();
    let right: Vec<i32> = (0..4096).map(|i| (i * 37) % 101 - 50).collect();
    let expected: Vec<i32> = left.iter().zip(right.iter()).map(|(a, b)| *a * *b).collect();
    assert_eq!(run(left, right).await, expected);
}

// MulInt keeps the low 32 bits of a product.
#[tokio::test]
async fn products_wrap_around() {
    let out = run((0..4096).map(|i| i * 1_000_003).collect(), (0..4096).map(|i| i - 2_000_000).collect()).await;
    for i in 0..4096 {
        assert_eq!(out[i], (i as i32 * 1_000_003).wrapping_mul(i as i32 - 2_000_000));
    }
}
