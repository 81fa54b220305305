//! A matrix product whose input is first passed round between slices, and summed over the batch at the end.
//!
//! y[n] = sum over b and k of x[b, k] * w[n, k], with 64 rows b, 128 values k and 32 outputs n. Four slices hold one
//! row of x, a quarter (32 values of k) each. The Switch Engine sends every quarter round the ring of four: afterwards
//! each slice sees the whole row, one quarter after the other in time, and the place of the quarters in the slice
//! mapping is free for something new: N / 8. So the four slices multiply the same row with different weights, eight
//! outputs each. The Contraction Engine adds over k, the Inter-Slice Block over the 64 rows of the batch.
//!
//! Engines: DMA (with a broadcast), Fetch, Switch, Collect, Contraction with eight rows, Vector (inter-slice), Commit.
//! Memory in a slice: x at 0 (32 bytes), w at 0x1000 (1 KiB), y at 0x2000 (32 bytes); TRF 8 x 128 bytes.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![B = 64, K = 128, N = 32];

type Chip = m![1];
type Cluster = m![1 # 2];

#[device(chip = 1)]
fn batch_matmul(
    ctx: &mut Context,
    x: &HbmTensor<i8, Chip, m![B, K]>,
    w: &HbmTensor<i8, Chip, m![N, K]>,
) -> HbmTensor<i32, Chip, m![N]> {
    let x = x.to_dm::<Cluster, m![B, K / 32], m![K % 32]>(&mut ctx.tdma, 0);
    let w = w.to_dm::<Cluster, m![B, N / 8], m![N % 8, K]>(&mut ctx.tdma, 0x1000); // the same weights for every b

    let w: TrfTensor<i8, Chip, Cluster, m![B, N / 8], m![N % 8], m![K]> = ctx
        .sub
        .begin(w.view())
        .fetch::<i8, m![N % 8], m![K]>()
        .collect::<m![N % 8, K / 32], m![K % 32]>()
        .to_trf(TrfAddress::Full);

    let y: DmTensor<i32, Chip, Cluster, m![1 # 64, N / 8], m![N % 8]> = ctx
        .main
        .begin(x.view())
        .fetch::<i8, m![1], m![K % 32]>()
        // Rings of four slices: K / 32 leaves the slices and becomes time, N / 8 takes its place.
        .switch::<m![B, N / 8], m![K / 32]>(SwitchConfig::Broadcast01 { slice1: 4, slice0: 1, time0: 1 })
        .collect::<m![K / 32], m![K % 32]>()
        .align::<m![K / 64], m![K % 64], _, _>(&w)
        .contract::<m![1]>()
        .accumulate::<m![1], m![N % 8]>(AccumulationKind::Interleaved)
        .vector_init()
        .vector_inter_slice_reduce::<m![1 # 64, N / 8], m![1]>(InterSliceReduceOpI32::Add) // over the batch
        .vector_final()
        .commit(0x2000);
    y.to_hbm(&mut ctx.tdma, 2 << 28)
}

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(10);
    let x = HostTensor::<i8, m![B, K]>::rand(&mut rng);
    let w = HostTensor::<i8, m![N, K]>::rand(&mut rng);

    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(batch_matmul, (&mut *ctx, &x_hbm, &w_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await.to_buf();

    let (x, w) = (x.to_buf(), w.to_buf());
    for n in 0..32 {
        let mut sum = 0i32;
        for b in 0..64 {
            for k in 0..128 {
                sum = sum.wrapping_add(x[128 * b + k].unwrap() as i32 * w[128 * n + k].unwrap() as i32);
            }
        }
        assert_eq!(out[n], Opt::Init(sum), "output {n}");
    }
}
