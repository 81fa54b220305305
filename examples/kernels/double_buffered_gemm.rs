//! A matrix product whose loads hide behind its multiplications: double buffering.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], 2048 by 1024 by 512, factors in bf16, sums in f32. A slice has 64 rows
//! and 64 columns of C: the rows of A stay in data memory (DM), the columns come in eight tiles of 8. Each tile goes
//! three steps: DMA brings it to DM, the sub context loads it into the register file (TRF), the main context multiplies
//! it with all rows.
//!
//! The three steps run on different hardware, so a tile can be loaded while the one before it is multiplied - if it has
//! a place of its own. `gemm` has two places in DM and both halves of TRF, used in turn. `gemm_one_buffer` is the same
//! kernel with one place of each: every load waits until the one before it was used. Nothing else differs: the order
//! of operations is that of the program, and what may overlap follows from their addresses.
//!
//!     contra schedule examples/kernels/double_buffered_gemm.rs --kernel gemm
//!     contra schedule examples/kernels/double_buffered_gemm.rs --kernel gemm_one_buffer
//!
//! # Mapping
//!
//! Clusters share out rows, two ways; the 256 slices of each are a grid of 16 by 16, so that a slice has 64 rows and 64
//! columns of C. What a slice needs of A and B is copied there by DMA, which is the simplest way and not the quickest:
//! every row goes to 16 slices, every column to 32. Eight columns are the rows of TRF; K is in packets, 32 at a time,
//! and the accumulator adds up the 16 packets of a row.
//!
//! # Engines and memory
//!
//! DMA (with broadcasts), Fetch, Collect, Contraction with eight rows, Commit into a view.
//!
//! A slice has A at 0 (64 KiB), B at 0x10000 and 0x12000 (8 KiB each), C at 0x14000 (18 KiB); TRF 8 x 1 KiB in each
//! half. A row of C is padded to 288 bytes: rows of 256 would begin in the same bank of DM, and a pass that goes to one
//! bank 64 times in a row must not run beside DMA.
//!
//! # What bounds it
//!
//! DMA. 2048 x 1024 x 512 products take 8,192 cycles on all multipliers; `gemm` takes 114,468, 7.2 % of the peak, and
//! `gemm_one_buffer` 121,636. DMA is busy for 97 % of the first: 30,228 cycles for A, whose 2 MiB become 32 in DM, 8 x
//! 5,919 for B, and 33,780 for C, which leaves in pieces of 256 bytes whose rows of HBM are opened again and again.
//! What two buffers hide is the Tensor Unit, 24,864 cycles of passes and loads of TRF but for the last tile: it works
//! while DMA does, and DMA never waits for it.
//!
//! To do better, fewer bytes have to move: `tiling.rs` passes rows round between slices instead of copying them, and
//! lays C out in tiles; with that the same scheme is bound by the multipliers.
//!
//! # Sizes
//!
//! I = 32 x rows of a slice, J = 16 x columns of a slice; the 64 columns are 256 bytes of f32, what HBM writes at its
//! best, and `TILES` tiles of 8. K can be any multiple of 32 up to 2048, what a row of half the TRF holds. Sizes that
//! do not fit are refused.
//!
//! # What to try
//!
//! - Three places for B in DM: nothing is gained, as DMA is busy anyway.
//! - `J % 64` instead of `J % 64 # 72`: passes and DMA take turns, because of the bank: 136,224 cycles.

use furiosa_visa_std::prelude::*;

axes![I = 2048, J = 1024, K = 512];

type Chip = m![1];
type Cluster = m![I / 1024];
type Slice = m![I / 64 % 16, J / 64];

const TILES: usize = 8;
const A_ADDRESS: u64 = 0;
const B_ADDRESS: u64 = A_ADDRESS + (I::SIZE / 32 * K::SIZE * 2) as u64;
const B_BYTES: u64 = (J::SIZE / 16 / TILES * K::SIZE * 2) as u64; // of each of two
const C_ADDRESS: u64 = B_ADDRESS + 2 * B_BYTES;

// Columns of B to DM, then to TRF, in the places of buffer `buffer`.
fn load_columns(
    ctx: &mut Context,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    tile: usize,
    buffer: usize,
) -> TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![K]> {
    let columns: DmTensor<bf16, Chip, Cluster, Slice, m![J % 8, K]> = b
        .view()
        .tile::<m![J / 8 % 8], 1, m![J / 64, 1 # 8, J % 8, K]>(tile)
        .to_dm(&mut ctx.tdma, B_ADDRESS + buffer as u64 * B_BYTES);
    ctx.sub
        .begin(columns.view())
        .fetch::<bf16, m![J % 8], m![K]>()
        .collect::<m![J % 8, K / 16], m![K % 16]>()
        .to_trf(if buffer == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf })
}

fn product(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    buffers: usize,
) -> HbmTensor<f32, Chip, m![I, J]> {
    let a: DmTensor<bf16, Chip, Cluster, Slice, m![I % 64, K]> = a.to_dm(&mut ctx.tdma, A_ADDRESS);
    let mut c: DmTensor<f32, Chip, Cluster, Slice, m![I % 64, J % 64 # 72]> = unsafe { DmTensor::from_addr(C_ADDRESS) };
    for tile in 0..TILES {
        let columns = load_columns(ctx, b, tile, tile % buffers);
        ctx.main
            .begin(a.view())
            .fetch::<bf16, m![I % 64], m![K]>()
            .collect::<m![I % 64, K / 16], m![K % 16]>()
            .align::<m![I % 64, K / 32], m![K % 32], _, _>(&columns)
            .contract::<m![1]>()
            .accumulate::<m![I % 64], m![J % 8]>(AccumulationKind::Interleaved)
            .commit_view(c.view_mut().tile::<m![J / 8 % 8], 1, m![I % 64, [1 # 8, J % 8] # 72]>(tile));
    }
    c.to_hbm(&mut ctx.tdma, 1 << 30)
}

#[device(chip = 1)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
) -> HbmTensor<f32, Chip, m![I, J]> {
    product(ctx, a, b, 2)
}

#[device(chip = 1)]
fn gemm_one_buffer(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
) -> HbmTensor<f32, Chip, m![I, J]> {
    product(ctx, a, b, 1)
}

// ---- the host

async fn run(
    ctx: &mut Context,
    a: &HostTensor<bf16, m![I, K]>,
    b: &HostTensor<bf16, m![J, K]>,
    double: bool,
) -> Vec<f32> {
    let a = a.to_hbm(&mut ctx.pdma, 0).await;
    let b = b.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let c = if double {
        launch(gemm, (&mut *ctx, &a, &b)).await
    } else {
        launch(gemm_one_buffer, (&mut *ctx, &a, &b)).await
    };
    c.to_host::<m![I, J]>(&mut ctx.pdma).await.to_buf().into_iter().map(|value| value.unwrap()).collect()
}

// Small whole numbers, whose products and sums are exact.
fn number(row: usize, k: usize) -> f32 {
    if (row + 3 * k) % 61 == 0 { ((row / 7 + k) % 5) as f32 - 2.0 } else { 0.0 }
}

#[tokio::test]
async fn both_give_the_product() {
    let mut ctx = Context::acquire();
    let a: Vec<bf16> = (0..I::SIZE * K::SIZE).map(|i| bf16::from_f32(number(i / K::SIZE, i % K::SIZE))).collect();
    let b: Vec<bf16> = (0..J::SIZE * K::SIZE).map(|i| bf16::from_f32(number(i / K::SIZE + 5, i % K::SIZE))).collect();
    let a_host = HostTensor::<bf16, m![I, K]>::from_buf(a.iter().map(|v| Opt::Init(*v)).collect());
    let b_host = HostTensor::<bf16, m![J, K]>::from_buf(b.iter().map(|v| Opt::Init(*v)).collect());
    let one = run(&mut ctx, &a_host, &b_host, false).await;
    let two = run(&mut ctx, &a_host, &b_host, true).await;
    assert_eq!(one == two, true);
    for (i, j) in [(0, 0), (5, 0), (17, 300), (130, 1023), (1023, 512), (2047, 777)] {
        let expected: f32 = (0..K::SIZE).map(|k| number(i, k) * number(j + 5, k)).sum();
        assert_eq!(two[i * J::SIZE + j], expected, "row {i}, column {j}");
    }
}
