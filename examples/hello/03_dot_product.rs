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
use rand::SeedableRng;
use rand::rngs::SmallRng;

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

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(3);
    let x = HostTensor::<bf16, m![K]>::rand(&mut rng);
    let y = HostTensor::<bf16, m![K]>::rand(&mut rng);

    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let y_hbm = y.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(dot, (&mut *ctx, &x_hbm, &y_hbm)).await;
    let out = out_hbm.to_host::<m![1]>(&mut ctx.pdma).await.to_buf()[0].unwrap();

    // The order of the additions is the engine's own, so compare with a tolerance.
    let (x, y) = (x.to_buf(), y.to_buf());
    let expected: f64 = (0..1024).map(|k| x[k].unwrap().to_f32() as f64 * y[k].unwrap().to_f32() as f64).sum();
    assert!((out as f64 - expected).abs() < 1e-3, "{out} is not {expected}");
}
