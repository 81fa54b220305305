//! Many small matrix products at once, in three mappings: which axis fills a packet.
//!
//! C[v, m, n] = sum over k of A[v, m, k] * B[v, n, k], for 16,384 of v: 16 by 16 times 16 by 8 in bf16, sums in f32,
//! results in bf16. Each kernel takes its factors, and gives its results, in the order that suits it:
//!
//! | kernel | in a packet | A lies there as | B | C | who adds | cycles | of them a pass |
//! |---|---|---|---|---|---|---|---|
//! | `k_in_packets` | 16 of K | V, M, K | V, N, K | V, M, N | the tree | 13,185 | 261 |
//! | `v_in_packets` | 32 of V | M, K, V | N, K, V | M, N, V | the accumulator, over time | 13,202 | 278 |
//! | `m_in_packets` | 16 of M | V, K, M | V, N, K | V, N, M | the accumulator, over time | 13,200 | 276 |
//!
//! # Mapping
//!
//! No product needs anything of another, so V goes to clusters and slices, 32 for each, and nothing has to be copied
//! or passed round. B waits in TRF, N over its eight rows; A streams past it. Then
//!
//! - `k_in_packets`: both have K in their packets, the tree adds it up, and 8 of N leave as one packet.
//! - `v_in_packets`: both have 32 products side by side in their packets, and nothing in a packet is added up: the
//!   accumulator does that, 8 rows x 32 sums that stand still while K goes by.
//! - `m_in_packets`: the same with 16 rows of A side by side; TRF reads one number of B and spreads it over the
//!   packet.
//!
//! All multiply 16 numbers of A with 8 of B in a cycle: 16 is what a flit has, and one arrives in a cycle. That is half
//! of what the multipliers could do. So the mapping to choose is one whose axis is a multiple of 16, so that flits are
//! full, and that finds its factors in the order they have: to turn them would cost more than a pass. With N = 16 each
//! flit could meet two columns, as in `tiling.rs`, in all three.
//!
//! # Engines and memory
//!
//! DMA, Fetch, Collect, Contraction with eight rows, Cast, Commit into a view. A slice has two tiles of A at 0 and
//! 0x2000 (8 KiB each, half of A), then B and C (8 KiB each). TRF has all of B, 8 x 1 KiB; `m_in_packets`, whose tiles
//! are of V, has the part for one tile in each half. In HBM all lie in the order in which DMA fills slices (`Slices`):
//! 256 bytes for one slice of each engine, then the next slice; see `decode_gemv.rs`.
//!
//! # What bounds it
//!
//! HBM: 8 + 4 MiB are read and 4 written, two MACs for each byte, where 87 would be needed to keep the multipliers
//! busy. With all 32 channels at work, 1,536 bytes a cycle, that is 10,923 cycles. 84.8 % of the 1,500 bytes a cycle
//! that `contra schedule` counts are reached. What is lost: 4 x 500 cycles for DMA to start, and the pass of the last
//! tile, which C waits for. The other pass and the loads of TRF hide behind DMA. Multipliers: 2 % of the peak.
//!
//! C leaves in one piece: a store for each tile would start twice, and loads stand in the same queue behind it.
//!
//! # Sizes
//!
//! V is 512 slices x 32. M is 16 and K is 16, a flit, as `m_in_packets` and `k_in_packets` have it. By itself
//! `v_in_packets` takes any multiple of 8 for M, in tiles of 8 (TILES, and `1 # 2`, say how many), and any multiple of
//! 4 for K. N is 8, the rows of TRF. DM has to hold two tiles of A, B and C, TRF all of B. Sizes that do not fit are
//! refused.
//!
//! # What to try
//!
//! - `to_hbm_view` of each tile inside the loop: the load of the next tile queues up behind a store that waits.
//! - One tile only: a start less, and a pass twice as long behind the loads.
//! - Factors that are in DM already: what is left are the passes.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![V = 16384, M = 16, N = 8, K = 16];

type Chip = m![1];
type Cluster = m![V / 8192];
type Slice = m![V / 32 % 256]; // 32 products in each slice
type Slices = m![V / 32 % 32, V / 1024 % 2, V / 2048]; // the same in HBM, in the order in which DMA fills them

const TILES: usize = 2; // of A
const PRODUCTS: usize = V::SIZE / 512; // of a slice
const A_ADDRESS: u64 = 0;
const A_BYTES: u64 = (PRODUCTS * M::SIZE * K::SIZE / TILES * 2) as u64; // of each of two
const B_ADDRESS: u64 = A_ADDRESS + 2 * A_BYTES;
const C_ADDRESS: u64 = B_ADDRESS + (PRODUCTS * N::SIZE * K::SIZE * 2) as u64;

#[device(chip = 1)]
fn k_in_packets(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![V % 32, M / 8, { Slices }, M % 8, K]>,
    b: &HbmTensor<bf16, Chip, m![V % 32, { Slices }, N, K]>,
) -> HbmTensor<bf16, Chip, m![V % 32, { Slices }, M, N]> {
    let b: DmTensor<bf16, Chip, Cluster, Slice, m![V % 32, N, K]> = b.to_dm(&mut ctx.tdma, B_ADDRESS);
    let b: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![V % 32, K]> = ctx
        .sub
        .begin(b.view())
        .fetch::<bf16, m![N, V % 32], m![K]>()
        .collect::<m![N, V % 32], m![K]>()
        .to_trf(TrfAddress::Full);
    let mut c: DmTensor<bf16, Chip, Cluster, Slice, m![V % 32, M, N]> = unsafe { DmTensor::from_addr(C_ADDRESS) };
    for tile in 0..TILES {
        let a: DmTensor<bf16, Chip, Cluster, Slice, m![V % 32, M % 8, K]> = a
            .view()
            .tile::<m![M / 8], 1, m![V % 32, 1 # 2, { Slices }, M % 8, K]>(tile)
            .to_dm(&mut ctx.tdma, A_ADDRESS + (tile % 2) as u64 * A_BYTES);
        ctx.main
            .begin(a.view())
            .fetch::<bf16, m![V % 32, M % 8], m![K]>()
            .collect::<m![V % 32, M % 8], m![K]>()
            .align::<m![V % 32, M % 8], m![K # 32], _, _>(&b)
            .contract::<m![1]>()
            .accumulate::<m![V % 32, M % 8], m![N]>(AccumulationKind::Interleaved)
            .cast::<bf16, m![N # 16]>()
            .commit_view(c.view_mut().tile::<m![M / 8], 1, m![V % 32, 1 # 2, M % 8, N]>(tile));
    }
    c.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn v_in_packets(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![M, K / 4, { Slices }, K % 4, V % 32]>,
    b: &HbmTensor<bf16, Chip, m![N, K / 4, { Slices }, K % 4, V % 32]>,
) -> HbmTensor<bf16, Chip, m![M, N / 4, { Slices }, N % 4, V % 32]> {
    let b: DmTensor<bf16, Chip, Cluster, Slice, m![N, K, V % 32]> = b.to_dm(&mut ctx.tdma, B_ADDRESS);
    let b: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![K, V % 32]> = ctx
        .sub
        .begin(b.view())
        .fetch::<bf16, m![N, K], m![V % 32]>()
        .collect::<m![N, K, V / 16 % 2], m![V % 16]>()
        .to_trf(TrfAddress::Full);
    let mut c: DmTensor<bf16, Chip, Cluster, Slice, m![M, N, V % 32]> = unsafe { DmTensor::from_addr(C_ADDRESS) };
    for tile in 0..TILES {
        let a: DmTensor<bf16, Chip, Cluster, Slice, m![M % 8, K, V % 32]> = a
            .view()
            .tile::<m![M / 8], 1, m![1 # 2, M % 8, K / 4, { Slices }, K % 4, V % 32]>(tile)
            .to_dm(&mut ctx.tdma, A_ADDRESS + (tile % 2) as u64 * A_BYTES);
        ctx.main
            .begin(a.view())
            .fetch::<bf16, m![M % 8, K], m![V % 32]>()
            .collect::<m![M % 8, K, V / 16 % 2], m![V % 16]>()
            .align::<m![M % 8, K], m![V % 32], _, _>(&b)
            .contract::<m![V % 32]>()
            .accumulate::<m![M % 8, N, V / 8 % 4], m![V % 8]>(AccumulationKind::Sequential)
            .cast::<bf16, m![V % 8 # 16]>()
            .commit_view(c.view_mut().tile::<m![M / 8], 1, m![1 # 2, M % 8, N, V % 32]>(tile));
    }
    c.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn m_in_packets(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![V % 32, K / 8, { Slices }, K % 8, M]>,
    b: &HbmTensor<bf16, Chip, m![V % 32, { Slices }, N, K]>,
) -> HbmTensor<bf16, Chip, m![V % 32, { Slices }, N, M]> {
    let b: DmTensor<bf16, Chip, Cluster, Slice, m![V % 32, N, K]> = b.to_dm(&mut ctx.tdma, B_ADDRESS);
    let mut c: DmTensor<bf16, Chip, Cluster, Slice, m![V % 32, N, M]> = unsafe { DmTensor::from_addr(C_ADDRESS) };
    for tile in 0..TILES {
        let a: DmTensor<bf16, Chip, Cluster, Slice, m![V % 16, K, M]> = a
            .view()
            .tile::<m![V / 16 % 2], 1, m![1 # 2, V % 16, K / 8, { Slices }, K % 8, M]>(tile)
            .to_dm(&mut ctx.tdma, A_ADDRESS + (tile % 2) as u64 * A_BYTES);
        let b: TrfTensor<bf16, Chip, Cluster, Slice, m![N], m![V % 16, K]> = ctx
            .sub
            .begin(b.view().tile::<m![V / 16 % 2], 1, m![1 # 2, V % 16, N, K]>(tile))
            .fetch::<bf16, m![N, V % 16], m![K]>()
            .collect::<m![N, V % 16, K / 16], m![K % 16]>()
            .to_trf(if tile % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf });
        ctx.main
            .begin(a.view())
            .fetch::<bf16, m![V % 16, K], m![M]>()
            .collect::<m![V % 16, K], m![M]>()
            .align::<m![V % 16, K], m![M # 32], _, _>(&b)
            .contract::<m![M # 32]>()
            .accumulate::<m![V % 16, N, M / 8], m![M % 8]>(AccumulationKind::Sequential)
            .cast::<bf16, m![M % 8 # 16]>()
            .commit_view(c.view_mut().tile::<m![V / 16 % 2], 1, m![1 # 2, V % 16, N, M]>(tile));
    }
    c.to_hbm(&mut ctx.tdma, 1 << 30)
}

// ---- the host

type A = HostTensor<bf16, m![V, M, K]>;
type B = HostTensor<bf16, m![V, N, K]>;
type C = HostTensor<bf16, m![V, M, N]>;

// The host packs factors as it sends them and unpacks results as it fetches them.
async fn run_k_in_packets(ctx: &mut Context, a: &A, b: &B) -> C {
    let a = a.to_hbm(&mut ctx.pdma, 0).await;
    let b = b.to_hbm(&mut ctx.pdma, 1 << 28).await;
    launch(k_in_packets, (&mut *ctx, &a, &b)).await.to_host(&mut ctx.pdma).await
}

async fn run_v_in_packets(ctx: &mut Context, a: &A, b: &B) -> C {
    let a = a.to_hbm(&mut ctx.pdma, 0).await;
    let b = b.to_hbm(&mut ctx.pdma, 1 << 28).await;
    launch(v_in_packets, (&mut *ctx, &a, &b)).await.to_host(&mut ctx.pdma).await
}

async fn run_m_in_packets(ctx: &mut Context, a: &A, b: &B) -> C {
    let a = a.to_hbm(&mut ctx.pdma, 0).await;
    let b = b.to_hbm(&mut ctx.pdma, 1 << 28).await;
    launch(m_in_packets, (&mut *ctx, &a, &b)).await.to_host(&mut ctx.pdma).await
}

fn compare(a: &Vec<Opt<bf16>>, b: &Vec<Opt<bf16>>, c: C) {
    let c = c.to_buf();
    for v in (0..V::SIZE).step_by(129) {
        for (m, n) in [(0, 0), (v % M::SIZE, v % N::SIZE), (M::SIZE - 1, N::SIZE - 1)] {
            let row = (v * M::SIZE + m) * K::SIZE;
            let column = (v * N::SIZE + n) * K::SIZE;
            let expected: f64 =
                (0..K::SIZE).map(|k| (a[row + k].unwrap().to_f32() * b[column + k].unwrap().to_f32()) as f64).sum();
            let found = c[(v * M::SIZE + m) * N::SIZE + n].unwrap().to_f32() as f64;
            // bf16 has 8 bits and rounds by half of the last, one part in 256; 16 sums of f32 add next to nothing
            assert!((found - expected).abs() <= expected.abs() / 256.0 + 1.0e-5, "{found} instead of {expected}");
        }
    }
}

#[tokio::test]
async fn all_are_close_to_plain_sums() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let a = A::rand(&mut rng);
    let b = B::rand(&mut rng);
    let c = run_k_in_packets(&mut ctx, &a, &b).await;
    let by_v = run_v_in_packets(&mut ctx, &a, &b).await;
    let by_m = run_m_in_packets(&mut ctx, &a, &b).await;
    let a = a.to_buf();
    let b = b.to_buf();
    compare(&a, &b, c);
    compare(&a, &b, by_v);
    compare(&a, &b, by_m);
}
