//! A dot product: the first contraction.
//!
//! The Contraction Engine multiplies a stream with weights that stay in the tensor register file (TRF) and adds the
//! products up. `align` puts two flits of 16 bf16 values side by side, 64 bytes, because that is what the multipliers
//! take at once; `contract` adds these 32 products in a tree; `accumulate` adds the partial sums over time. One slice
//! does all the work here, the other 255 are padding.
//!
//! Engines: DMA, Fetch, Collect, Contraction, Commit.
//! Memory in the slice: x at 0, y at 0x1000 (2 KiB each), result at 0x2000 (8 bytes, of which 4 are the sum).

use furiosa_visa_std::prelude::*;

axes![K = 1024];

type Chip = m![1];
type Cluster = m![1 # 2];
type Slice = m![1 # 256];

#[device(chip = 1)]
fn dot(
    ctx: &mut Context,
    x: &HbmTensor<bf16, Chip, m![K]>,
    y: &HbmTensor<bf16, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![1]> {
    let x = x.to_dm::<Cluster, Slice, m![K]>(&mut ctx.tdma, 0);
    let y = y.to_dm::<Cluster, Slice, m![K]>(&mut ctx.tdma, 0x1000);

    // One row of weights: the whole vector y.
    let y: TrfTensor<bf16, Chip, Cluster, Slice, m![1], m![K]> = ctx
        .sub
        .begin(y.view())
        .fetch::<bf16, m![1], m![K]>() // one packet of 2 KiB ...
        .collect::<m![K / 16], m![K % 16]>() // ... becomes 64 flits
        .to_trf(TrfAddress::Full);

    let sum: DmTensor<f32, Chip, Cluster, Slice, m![1 # 2]> = ctx
        .main
        .begin(x.view())
        .fetch::<bf16, m![1], m![K]>()
        .collect::<m![K / 16], m![K % 16]>()
        .align::<m![K / 32], m![K % 32], _, _>(&y) // 32 steps of 64 bytes
        .contract::<m![1]>() // 32 products -> 1 sum, in f32
        .accumulate::<m![1], m![1 # 8]>(AccumulationKind::Interleaved) // 32 steps -> 1
        .commit(0x2000); // eight bytes are the smallest write
    sum.to_hbm(&mut ctx.tdma, 2 << 28)
}

// Runs the kernel on the chip: two vectors in, one number out.
async fn run(x: Vec<f32>, y: Vec<f32>) -> f32 {
    let mut ctx = Context::acquire();
    let x = HostTensor::<bf16, m![K]>::from_buf(x.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let y = HostTensor::<bf16, m![K]>::from_buf(y.iter().map(|v| Opt::Init(bf16::from_f32(*v))).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let y_hbm = y.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(dot, (&mut *ctx, &x_hbm, &y_hbm)).await;
    out_hbm.to_host::<m![1]>(&mut ctx.pdma).await.to_buf()[0].unwrap()
}

#[tokio::main]
async fn main() {
    // 1 - 2 + 1 - 2 ..: small whole numbers are exact in bf16, and so is every sum of them.
    let out = run(vec![1.0; 1024], (0..1024).map(|k| if k % 2 == 0 { 1.0 } else { -2.0 }).collect()).await;
    println!("512 times 1 minus 512 times 2 is {out}");
    assert_eq!(out, -512.0);
}

#[tokio::test]
async fn whole_numbers_are_exact() {
    let x: Vec<f32> = (0..1024).map(|k| (k % 17) as f32 - 8.0).collect();
    let y: Vec<f32> = (0..1024).map(|k| (k % 5) as f32).collect();
    let expected: f32 = (0..1024).map(|k| ((k % 17) as f32 - 8.0) * (k % 5) as f32).sum();
    assert_eq!(run(x, y).await, expected);
}

// The engine adds in an order of its own: 32 products in a tree, then one packet after the other.
#[tokio::test]
async fn sums_in_the_order_of_the_engine() {
    let value = |k: usize| bf16::from_f32(1.0 / (k as f32 + 1.0)).to_f32();
    let mut expected = 0.0;
    for packet in 0..32 {
        let mut level: Vec<f32> = (0..32).map(|k| value(32 * packet + k)).collect();
        for step in [16, 8, 4, 2, 1] {
            level = (0..step).map(|i| level[2 * i] + level[2 * i + 1]).collect();
        }
        expected += level[0];
    }
    assert_eq!(run((0..1024).map(value).collect(), vec![1.0; 1024]).await, expected);
}
