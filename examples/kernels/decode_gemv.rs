//! A matrix times a vector, as in the decoding of one token: all that counts is how fast the matrix comes from HBM.
//!
//! y[j] = sum over k of W[j, k] * x[k], 8192 by 4096 in bf16, sums in f32.
//!
//!     contra schedule examples/kernels/decode_gemv.rs
//!
//! # Mapping
//!
//! A slice has 16 rows, in eight tiles of two. DMA brings a tile to DM, the sub context stores it in one half of TRF,
//! the main context sends x past it: each slice keeps 16 elements of x, and the Switch Engine passes them round all
//! slices of the cluster. Both contexts together take less than half as long as DMA does for the next tile. In the end
//! a slice has 16 sums, 64 bytes. HBM writes 256 at once (less is read, changed and written back, 50 times as slow), so
//! one more pass gathers those of four slices in one.
//!
//! What it takes to have HBM busy is an order of weights there (`Packed`) that suits the eight DMA engines. An engine
//! walks over the places it writes to: first the two networks of DM that it serves, then their 32 slices, then on in
//! each slice; all engines step together. With 256 bytes a step (`K % 128`) the weights lie in HBM in just that order,
//! the engines innermost. So
//!
//! - each step of the eight engines reads 2 KiB that lie together: all channels of HBM work, and rows of its banks are
//!   opened once;
//! - no network of DM gets two requests in a row: it takes two cycles for each, and the other one is served meanwhile.
//!
//! The host packs the weights once, as it sends them. (As `m![J, K]`, rows of a bank would be opened again and again.)
//!
//! # Engines and memory
//!
//! DMA, Fetch, Switch, Collect, Contraction with two rows, Commit into a view. In a slice W at 0 and 0x8000 (16 KiB
//! each), x at 0x10000 (32 bytes), y at 0x10100 and 0x10200; TRF 2 x 8 KiB in each half.
//!
//! # What bounds it
//!
//! HBM. Every weight is used once: 64 MiB have to come from HBM, which moves 1.5 TB/s if it does nothing but read:
//! 44,700 cycles. The kernel takes 51,194, at 87 % of that. For the multipliers that is half a percent of what they
//! could do. What is lost: 500 cycles that each of the ten DMA commands takes to start, and 2,700 between the last tile
//! and the end.
//!
//! # Sizes
//!
//! J is 512 slices x 16 rows: for another number of rows, Cluster, Slice and Packed have other numbers, and so has the
//! last pass. K is 256 slices x 16 elements of x (`K / 16`, `K % 16`), or 8192 with 32 of them: half of TRF holds two
//! rows of that. Then `K / 32` and `K % 32` stand where x is loaded, in its `fetch` and in its `switch`, and nowhere
//! else: flits stay as they are. Other sizes are refused (E0107, E0505, E0521).
//!
//! # What to try
//!
//! - K = 8192, as above: 97,115 cycles, at 92 % of what HBM could move, since starts are as many.
//! - Weights as `m![J, K]`: `contra schedule` shows how many rows of banks are opened, and what that takes.
//! - Four tiles of four rows: fewer starts, but a longer first tile, during which nothing is computed.
//! - Weights in i8 (`hello/quantised_matmul.rs`): half of the bytes.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![J = 8192, K = 4096];

type Chip = m![1];
type Cluster = m![J / 4096];
type Slice = m![J / 16 % 256];
type Packed = m![J / 2 % 8, J % 2, K / 128, J / 16 % 32, J / 512 % 2, J / 1024, K % 128];

const TILES: usize = 8;
const W_BYTES: u64 = 0x8000;
const X_ADDRESS: u64 = 0x10000;
const Y_ADDRESS: u64 = 0x10100;
const Z_ADDRESS: u64 = 0x10200;

#[device(chip = 1)]
fn gemv(
    ctx: &mut Context,
    w: &HbmTensor<bf16, Chip, Packed>,
    x: &HbmTensor<bf16, Chip, m![K]>,
) -> HbmTensor<f32, Chip, m![J]> {
    let x: DmTensor<bf16, Chip, Cluster, m![K / 16], m![K % 16]> = x.to_dm(&mut ctx.tdma, X_ADDRESS);
    let mut y: DmTensor<f32, Chip, Cluster, Slice, m![J % 16]> = unsafe { DmTensor::from_addr(Y_ADDRESS) };
    for tile in 0..TILES {
        let w: DmTensor<bf16, Chip, Cluster, Slice, m![J % 2, K]> = w
            .view()
            .tile::<m![J / 2 % 8], 1, m![1 # 8, J % 2, K / 128, J / 16 % 32, J / 512 % 2, J / 1024, K % 128]>(tile)
            .to_dm(&mut ctx.tdma, (tile % 2) as u64 * W_BYTES);
        let w: TrfTensor<bf16, Chip, Cluster, Slice, m![J % 2], m![K]> = ctx
            .sub
            .begin(w.view())
            .fetch::<bf16, m![J % 2], m![K]>()
            .collect::<m![J % 2, K / 16], m![K % 16]>()
            .to_trf(if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf });
        ctx.main
            .begin(x.view())
            .fetch::<bf16, m![1], m![K % 16]>()
            .switch::<Slice, m![K / 16]>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
            .collect::<m![K / 16], m![K % 16]>()
            .align::<m![K / 32], m![K % 32], _, _>(&w)
            .contract::<m![1]>()
            .accumulate::<m![1], m![J % 2 # 8]>(AccumulationKind::Interleaved)
            .commit_view(y.view_mut().tile::<m![J / 2 % 8], 1, m![1 # 8, J % 2]>(tile));
    }
    let y: DmTensor<f32, Chip, Cluster, m![J / 64 % 64, 1 # 4], m![J % 64]> = ctx
        .main
        .begin(y.view())
        .fetch::<f32, m![1], m![J % 16]>()
        .switch::<m![J / 64 % 64, 1 # 4], m![J / 16 % 4]>(SwitchConfig::Broadcast01 { slice1: 4, slice0: 1, time0: 1 })
        .collect::<m![J / 8 % 8], m![J % 8]>()
        .commit(Z_ADDRESS);
    y.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

async fn run(w: &HostTensor<bf16, m![J, K]>, x: &HostTensor<bf16, m![K]>) -> Vec<f32> {
    let mut ctx = Context::acquire();
    let w = w.to_hbm(&mut ctx.pdma, 1 << 28).await; // packed on the way
    let x = x.to_hbm(&mut ctx.pdma, 0).await;
    let y = launch(gemv, (&mut *ctx, &w, &x)).await;
    y.to_host::<m![J]>(&mut ctx.pdma).await.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

#[tokio::test]
async fn close_to_plain_sums() {
    let mut rng = SmallRng::seed_from_u64(42);
    let w = HostTensor::<bf16, m![J, K]>::rand(&mut rng);
    let x = HostTensor::<bf16, m![K]>::rand(&mut rng);
    let y = run(&w, &x).await;
    let w = w.to_buf();
    let x: Vec<f32> = x.to_buf().into_iter().map(|v| v.unwrap().to_f32()).collect();
    for j in (0..J::SIZE).step_by(61) {
        let row = &w[j * K::SIZE..(j + 1) * K::SIZE];
        let expected: f64 = (0..K::SIZE).map(|k| (row[k].unwrap().to_f32() * x[k]) as f64).sum();
        // 4096 products below 1 in a tree of f32
        assert!((y[j] as f64 - expected).abs() < 1.0e-3, "row {j}: {} instead of {expected}", y[j]);
    }
}
