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

// Runs the kernel on the chip: 64 rows of x and 32 rows of weights in, 32 sums out.
async fn run(x: Vec<i8>, w: Vec<i8>) -> Vec<i32> {
    let mut ctx = Context::acquire();
    let x = HostTensor::<i8, m![B, K]>::from_buf(x.into_iter().map(Opt::Init).collect());
    let w = HostTensor::<i8, m![N, K]>::from_buf(w.into_iter().map(Opt::Init).collect());
    let x_hbm = x.to_hbm(&mut ctx.pdma, 0 << 28).await;
    let w_hbm = w.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let out_hbm = launch(batch_matmul, (&mut *ctx, &x_hbm, &w_hbm)).await;
    let out = out_hbm.to_host::<m![N]>(&mut ctx.pdma).await;
    out.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::main]
async fn main() {
    let out = run(vec![1; 64 * 128], (0..32 * 128).map(|e| (e / 128) as i8).collect()).await;
    println!("64 rows of 128 ones with weights n give 8192 n: {}, {}, {} .. {}", out[0], out[1], out[2], out[31]);
    for n in 0..32 {
        assert_eq!(out[n], 8192 * n as i32);
    }
}

#[tokio::test]
async fn every_quarter_meets_its_weights() {
    let x = |b: usize, k: usize| ((b * 7 + k * 13) % 251) as i8;
    let w = |n: usize, k: usize| ((n * 29 + k * 5) % 253) as i8;
    let rows = (0..64 * 128).map(|e| x(e / 128, e % 128)).collect();
    let weights = (0..32 * 128).map(|e| w(e / 128, e % 128)).collect();
    let out = run(rows, weights).await;
    for n in 0..32 {
        let mut sum = 0i32;
        for b in 0..64 {
            for k in 0..128 {
                sum += x(b, k) as i32 * w(n, k) as i32;
            }
        }
        assert_eq!(out[n], sum, "output {n}");
    }
}
