//! Adding two tensors without a register file: they arrive as one stream, taking turns.
//!
//! `begin_interleaved` reads two tensors of the same layout; a new axis Which of size 2 tells them apart, innermost in
//! time. `vector_intra_slice_unzip` makes two groups of it that go through the Vector Engine side by side: each can be
//! prepared on its own (here the first is doubled, the second left alone), until a zip operation merges them.
//!
//! Engines: DMA, Fetch (interleaved), Collect, Vector (two groups), Commit.
//! Memory in a slice: left at 0, right at 0x1000, result at 0x2000 (128 bytes each).

use furiosa_visa_std::prelude::*;

axes![N = 8192, Which = 2];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![N / 32];
type Element = m![N % 32];

#[device(chip = 1)]
fn weighted_sum(
    ctx: &mut Context,
    left: &HbmTensor<i32, Chip, m![N]>,
    right: &HbmTensor<i32, Chip, m![N]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let left = left.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0);
    let right = right.to_dm::<Cluster, Slice, Element>(&mut ctx.tdma, 0x1000);
    let sum: DmTensor<i32, Chip, Cluster, Slice, Element> = ctx
        .main
        .begin_interleaved::<Which, _, _, _, _, _>(left.view(), right.view())
        .fetch::<i32, m![N / 8 % 4, Which], m![N % 8]>() // a flit of left, a flit of right, and so on
        .collect::<m![N / 8 % 4, Which], m![N % 8]>()
        .vector_init()
        .vector_intra_slice_unzip::<Which, m![N / 8 % 4, 1 # 2], m![N / 8 % 4]>()
        .vector_fxp(FxpBinaryOp::MulInt, 2, ()) // 2 * left; right is skipped
        .vector_fxp_zip(FxpBinaryOp::AddFxp) // 2 * left + right
        .vector_final()
        .commit(0x2000);
    sum.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Runs the kernel on the chip.
async fn run(left: Vec<i32>, right: Vec<i32>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let left = HostTensor::<i32, m![N]>::from_buf(left.into_iter().map(Opt::Init).collect());
    let right = HostTensor::<i32, m![N]>::from_buf(right.into_iter().map(Opt::Init).collect());
    let left_hbm = left.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let right_hbm = right.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(weighted_sum, (&mut *ctx, &left_hbm, &right_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run((0..8192).collect(), vec![100; 8192]).await;
    println!("2 i + 100 for i = 0, 1, 2: {}, {}, {}", out[0], out[1], out[2]);
    for i in 0..8192 {
        assert_eq!(out[i], 2 * i as i32 + 100);
    }
}

#[tokio::test]
async fn the_left_one_counts_twice() {
    let left: Vec<i32> = (0..8192).map(|i| i * 11 - 40000).collect();
    let right: Vec<i32> = (0..8192).map(|i| 3 * (i % 700)).collect();
    let expected: Vec<i32> = left.iter().zip(right.iter()).map(|(a, b)| 2 * *a + *b).collect();
    assert_eq!(run(left, right).await, expected);
}
