//! A matrix product over four chips: rows stay, columns go round.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], 65,536 by 256 by 256 in bf16, sums in f32, results in bf16. Each chip has
//! a quarter of the rows of A and of the columns of B (16,384 and 64), and computes its rows of C, for which it needs
//! all columns. So while it multiplies with the columns it has, those of the next chip come from there: four steps, and
//! three moves.
//!
//! # Mapping
//!
//! What must travel decides which axis goes to chips, since PCIe moves 30 bytes a cycle in each direction, a fiftieth
//! of what HBM does:
//!
//! | over chips | travels | bytes into each chip | cycles |
//! |---|---|---|---|
//! | rows (this kernel) | columns of B, bf16 | 3 x 32 KiB | 3,277 |
//! | columns | rows of A, bf16 | 3 x 8 MiB | 838,861 |
//! | K | sums of C, f32 | 3/4 of 64 MiB | 1,677,722 |
//!
//! In general: the smaller factor goes round. The larger one has to have 6,554 rows on each chip, or the multipliers
//! wait for PCIe: a column of K numbers takes 2 K x 3/4 / 30 cycles to come, and rows x K / 131,072 to be multiplied.
//!
//! In a chip rows go to clusters and slices, 32 each; every slice needs all 64 columns. Each of the 256 slices of a
//! cluster has 128 bytes of them, and the Switch Engine passes them round on their way to TRF. So neither rows nor
//! columns are copied by DMA, but columns once for each cluster. Flits have 16 of K and meet 64 columns: 8 rows of TRF,
//! 2 in a packet, 4 in turn.
//!
//! `hbm_chip_shuffle` names for each chip the one it reads from, so chip t has the columns of chip t + 1, then of t + 2
//! and t + 3. All chips execute the same commands, and what they compute in step s lies in the same place, but belongs
//! to other columns on each: block s of chip t is C[rows of t, columns of (t + s) % 4]. The host, who knows, reads it
//! so.
//!
//! # Engines and memory
//!
//! DMA (also between chips), Fetch, Switch, Collect, Contraction with eight rows and two sums each, Cast, Commit into a
//! view. A slice has its rows at 0 (16 KiB), results of all steps (16 KiB), and 128 bytes of columns in two places that
//! take turns. TRF has columns of two steps, 8 x 4 KiB each. In HBM rows and results lie as DMA fills slices (`Slices`;
//! `decode_gemv.rs` says why), columns as the slices pass them round.
//!
//! # What bounds it
//!
//! 4,294,967,296 products take 8,192 cycles on four chips. The kernel takes 22,304: 36.7 % of the peak. The bound is
//! DMA, one queue for everything, which is busy from the begin to the end but for 1,263 cycles in front of the last
//! store: 6,462 for rows and 7,460 for results, 4,779 for three moves between chips (of which PCIe itself needs 3,277)
//! and 2,340 for columns on their way to DM. HBM alone would need 11,000: with 62 MACs a byte it is short of the 87
//! that the multipliers want. Passes (8,352) and TRF (4,160) hide behind it but for the last step. Larger K and J are
//! what helps: twice the columns are twice the products for the same rows.
//!
//! # Sizes
//!
//! I is 512 slices x 32 rows for each chip, J 64 columns; K is any multiple of 128 with J x K x 2 <= 32 KiB, half of
//! TRF, in 256 parts of 32 elements or more (`K / 32`). With P = 2 or 8 there are as many steps, and patterns of that
//! length. Sizes that do not fit are refused.
//!
//! # What to try
//!
//! - `dm_chip_shuffle` of what is in DM already, without `others`: 23,825 cycles, since both clusters have a copy, and
//!   both travel.
//! - Without the moves, each step with the same columns: how much they cost.
//! - Pattern `[3, 0, 1, 2]`: the columns come from the other side, and blocks are those of (t - s) % 4.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

axes![P = 4, I = 16384, J = 64, K = 256, Step = 4]; // P: chips; I and J: rows and columns of each

type Chip = m![P];
type Cluster = m![I / 8192];
type Slice = m![I / 32 % 256]; // 32 rows in each slice
type ColumnSlice = m![J % 8, J / 16, K / 32]; // what they pass round
type Slices = m![I / 32 % 32, I / 1024 % 2, I / 2048]; // in HBM, in the order in which DMA fills them

type PackedRows = m![I % 32, K / 128, { Slices }, K % 128];
type PackedColumns = m![J % 8, J / 16, K / 32, K / 16 % 2, J / 8 % 2, K % 16];
type PackedResults = m![Step, I / 2 % 16, { Slices }, I % 2, J];

type Rows = DmTensor<bf16, Chip, Cluster, Slice, m![I % 32, K]>;
type Columns = DmTensor<bf16, Chip, Cluster, ColumnSlice, m![K / 16 % 2, J / 8 % 2, K % 16]>;
type ColumnsInTrf = TrfTensor<bf16, Chip, Cluster, Slice, m![J % 8], m![J / 16, K / 16, J / 8 % 2, K % 16]>;
type Results = DmTensor<bf16, Chip, Cluster, Slice, m![Step, I % 32, J]>;

const TILES: usize = 2; // of the rows of a slice
const A_ADDRESS: u64 = 0;
const C_ADDRESS: u64 = A_ADDRESS + (I::SIZE / 512 * K::SIZE * 2) as u64;
const B_ADDRESS: u64 = C_ADDRESS + (Step::SIZE * I::SIZE / 512 * J::SIZE * 2) as u64;

const B_BYTES: u64 = (J::SIZE * K::SIZE / 256 * 2) as u64; // of each of two

// All columns, from all slices to TRF of each.
fn store_columns(ctx: &mut Context, columns: &Columns, step: usize) -> ColumnsInTrf {
    ctx.sub
        .begin(columns.view())
        .fetch::<bf16, m![1], m![K / 16 % 2, J / 8 % 2, K % 16]>()
        .switch::<Slice, ColumnSlice>(SwitchConfig::Broadcast01 { slice1: 256, slice0: 1, time0: 1 })
        .collect::<m![J % 8, J / 16, K / 16, J / 8 % 2], m![K % 16]>()
        .to_trf(if step % 2 == 0 { TrfAddress::FirstHalf } else { TrfAddress::SecondHalf })
}

#[device(chip = 4)]
fn chip_gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, PackedRows>,
    b: &HbmTensor<bf16, Chip, PackedColumns>,
    c: &mut HbmTensor<bf16, Chip, PackedResults>,
) {
    let mut columns: Columns = b.to_dm(&mut ctx.tdma, B_ADDRESS);
    let mut others = ctx.tdma.hbm_chip_shuffle(b, &[1, 2, 3, 0]); // chip t: the columns of t + 1
    let mut rows: Rows = unsafe { DmTensor::from_addr(A_ADDRESS) };
    for tile in 0..TILES {
        a.view()
            .tile::<m![I / 16 % 2], 1, m![1 # 2, I % 16, K / 128, { Slices }, K % 128]>(tile)
            .to_dm_view(&mut ctx.tdma, rows.view_mut().tile::<m![I / 16 % 2], 1, m![1 # 2, I % 16, K]>(tile));
    }
    let mut results: Results = unsafe { DmTensor::from_addr(C_ADDRESS) };
    for step in 0..Step::SIZE {
        let in_trf = store_columns(ctx, &columns, step);
        if step < Step::SIZE - 1 {
            columns = others.to_dm(&mut ctx.tdma, B_ADDRESS + ((step + 1) % 2) as u64 * B_BYTES);
        }
        if step < Step::SIZE - 2 {
            others = ctx.tdma.hbm_chip_shuffle(&others, &[1, 2, 3, 0]);
        }
        for tile in 0..TILES {
            ctx.main
                .begin(rows.view().tile::<m![I / 16 % 2], 1, m![1 # 2, I % 16, K]>(tile))
                .fetch::<bf16, m![I % 16], m![K]>()
                .collect::<m![I % 16, K / 16], m![K % 16]>()
                .align::<m![I % 16, K / 16, J / 16], m![J / 8 % 2, K % 16], _, _>(&in_trf)
                .contract::<m![J / 8 % 2]>()
                .accumulate::<m![I % 16, J / 8], m![J % 8]>(AccumulationKind::Interleaved)
                .cast::<bf16, m![J % 8 # 16]>()
                .commit_view(
                    results
                        .view_mut()
                        .tile::<m![Step], 1, m![1 # 4, I % 32, J]>(step)
                        .tile::<m![I / 16 % 2], 1, m![1 # 4, 1 # 2, I % 16, J]>(tile),
                );
        }
        results.view().tile::<m![Step], 1, m![1 # 4, I % 32, J]>(step).to_hbm_view(
            &mut ctx.tdma,
            c.view_mut().tile::<m![Step], 1, m![1 # 4, I / 2 % 16, { Slices }, I % 2, J]>(step),
        );
    }
}

// ---- the host

#[tokio::test]
async fn close_to_plain_sums() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let a = HostTensor::<bf16, m![P, I % 512, K]>::rand(&mut rng); // the same rows again and again
    let b = HostTensor::<bf16, m![P, J, K]>::rand(&mut rng);
    let a_hbm = a.to_hbm(&mut ctx.pdma, 0).await;
    let b_hbm = b.to_hbm(&mut ctx.pdma, 1 << 29).await;
    let mut c_hbm = unsafe { HbmTensor::from_addr(1 << 30) };
    launch(chip_gemm, (&mut *ctx, &a_hbm, &b_hbm, &mut c_hbm)).await;
    let c = c_hbm.to_host::<m![P, Step, I, J]>(&mut ctx.pdma).await.to_buf();
    let a = a.to_buf();
    let b = b.to_buf();
    for block in 0..P::SIZE * Step::SIZE {
        let (chip, step) = (block / Step::SIZE, block % Step::SIZE);
        for i in (block..I::SIZE).step_by(1201) {
            let j = i % J::SIZE;
            let row = (chip * 512 + i % 512) * K::SIZE;
            let column = ((chip + step) % P::SIZE * J::SIZE + j) * K::SIZE;
            let expected: f64 =
                (0..K::SIZE).map(|k| (a[row + k].unwrap().to_f32() * b[column + k].unwrap().to_f32()) as f64).sum();
            let found = c[(block * I::SIZE + i) * J::SIZE + j].unwrap().to_f32() as f64;
            // bf16 has 8 bits and rounds by half of the last, one part in 256; 256 products below 1 in f32 are off by
            // far less than 0.001
            let tolerance = expected.abs() / 256.0 + 1.0e-3;
            assert!((found - expected).abs() <= tolerance, "chip {chip}, row {i}: {found} instead of {expected}");
        }
    }
}
