//! A matrix product that no memory on the chip holds at once, at 93 % of what the multipliers can do.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], 4096 by 4096 by 4096, factors in bf16, sums in f32. The kernel itself is
//! `blocked_gemm_kernel/mod.rs`; its tests, in a smaller size, are in `blocked_gemm_small.rs`. `blocked_gemm_four.rs` has
//! it on four chips.
//!
//!     contra schedule examples/kernels/blocked_gemm.rs
//!     contra run examples/kernels/blocked_gemm.rs
//!
//! # Mapping
//!
//! Clusters and groups of 64 slices share out the rows of A, eight ways; the 64 slices of a group share out the
//! columns, 64 each. So all slices of a group need the same rows. Each of them keeps one, and the Switch Engine sends
//! it round the group (a ring of 64): as many flits as if every slice had all of them, but 1/64 of the memory and of
//! the DMA.
//!
//!     for each block of K                         4        1024 of K
//!         for each tile of columns                4        16 of the 64 of a slice: DMA to DM, sub context to TRF
//!             for each group of rows              8        512 rows, 64 in a ring: main context, 4096 flits
//!
//! A pass takes 4,096 cycles and some 70 until it has filled. Meanwhile the sub context loads the next tile (4,096
//! cycles for eight passes) and the sums for the next pass (512). DMA brings the tile after that: 13,828 cycles for
//! eight passes.
//!
//! - Eight ways, rows 8 by 8 (`I / 8 % 8`): the eight DMA engines then write rows of C that lie in different banks of
//!   HBM. With I / 512 instead they open a row of the same bank in turn, and C takes 77,300 cycles instead of 47,700.
//! - 64 columns of f32 are 256 bytes, what HBM writes at once. 16 would be written in part: read, changed, written
//!   back.
//! - The last block goes in four parts of the rows, which costs TRF three more loads of each tile: all but the last
//!   part of C leave while the next one is computed.
//!
//! # Engines and memory
//!
//! DMA (with broadcasts), Fetch, Switch, Collect, Contraction with eight rows and two sums each, Vector (an addition),
//! Commit into a view. In a slice A at 0 and 0x4000 (16 KiB each), B at 0x8000 (128 KiB: four tiles), C at 0x28000 (128
//! KiB); TRF 8 x 4 KiB in each half; VRF 4 KiB at 0 and at 0x1000.
//!
//! Half of TRF, so that the other half can be loaded meanwhile, is 32 KiB: 8 rows x 2 columns x 1024 of K. So K goes in
//! four blocks of 1024, and what the blocks before have summed up comes along in VRF: 64 rows x 16 columns, half of it
//! again.
//!
//! # What bounds it
//!
//! The multipliers. A slice multiplies 8 rows of the register file (TRF) with a packet of 64 bytes in a cycle: 8 x 32
//! products of bf16, on 512 slices 131,072. 4096^3 of them take 524,288 cycles at best, and 563,884 here. But only 32
//! bytes arrive in a cycle, one flit. A packet of two different flits, `[K % 32]`, comes every other cycle: that is
//! half of the peak, whatever else is done. So each flit is used twice, `[J / 8 % 2, K % 16]`: one flit of a row of A
//! beside itself, against two columns of B. TRF holds the columns in the same order, two at a time, and the tree adds
//! up each half by itself (`contract::<m![J / 8 % 2]>`).
//!
//! What is lost: 13,828 cycles for the first tile, 4,096 for its way to TRF, 4,988 as rows come before the second tile,
//! 8,928 in passes that fill, 7,756 for the last of C.
//!
//! # Sizes
//!
//! I can be any multiple of 512 up to 9,728 (19 groups with 20 KiB of DM each, beside 128 KiB of B). J is 4096: 64
//! slices with 64 columns. K can be any multiple of a block; a block has at most 1024 (what half of TRF holds) and is a
//! multiple of 16. The five mappings below say the same sizes once more; one that does not fit is refused.
//!
//! # What to try
//!
//! - `align::<.., m![K % 32]>` in the place of `m![J / 8 % 2, K % 16]`, with one column to a row of TRF: half of the
//!   peak.
//! - PARTS = 1: C leaves when all is computed, and the multipliers wait for HBM in the end.
//! - K = 1024: one block, nothing to carry along, but the first tile and the last of C weigh four times as much.

use furiosa_visa_std::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;

mod blocked_gemm_kernel;
use blocked_gemm_kernel::multiply_blocks;

axes![I = 4096, J = 4096, K = 4096];

type Chip = m![1];
type Blocks = m![K / 1024];
type Block = m![K % 1024];
type Flits = m![K / 16 % 64]; // of a block
type OneBlock = m![1 # 4]; // of all
type OneGroup = m![1 # 8]; // of 512 rows, of all
const PARTS: usize = 4;

#[device(chip = 1)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    c: &mut HbmTensor<f32, Chip, m![I, J]>,
) {
    multiply_blocks(ctx, a, b, c);
}

// ---- the host

#[tokio::main]
async fn main() {
    let mut ctx = Context::acquire();
    let mut rng = SmallRng::seed_from_u64(42);
    let a = HostTensor::<bf16, m![I, K]>::rand(&mut rng);
    let b = HostTensor::<bf16, m![J, K]>::rand(&mut rng);
    let a_hbm = a.to_hbm(&mut ctx.pdma, 0).await;
    let b_hbm = b.to_hbm(&mut ctx.pdma, 1 << 28).await;
    let mut c_hbm = unsafe { HbmTensor::<f32, Chip, m![I, J]>::from_addr(1 << 30) };
    launch(gemm, (&mut *ctx, &a_hbm, &b_hbm, &mut c_hbm)).await;
    let c = c_hbm.to_host::<m![I, J]>(&mut ctx.pdma).await.to_buf();

    // f32 has 24 bits: a sum of 4096 numbers below 1 that is added up in a tree is off by no more than this
    let tolerance = 1.0e-3;
    let a = a.to_buf();
    let b = b.to_buf();
    for (i, j) in [(0, 0), (1, 0), (0, 1), (9, 4095), (520, 63), (1023, 64), (2048, 2049), (4095, 0), (4095, 4095)] {
        let row = &a[i * K::SIZE..(i + 1) * K::SIZE];
        let column = &b[j * K::SIZE..(j + 1) * K::SIZE];
        let expected: f64 = (0..K::SIZE).map(|k| (row[k].unwrap().to_f32() * column[k].unwrap().to_f32()) as f64).sum();
        let found = c[i * J::SIZE + j].unwrap() as f64;
        assert!((found - expected).abs() < tolerance, "row {i}, column {j}: {found} instead of {expected}");
        println!("C[{i}, {j}] = {found}, within {tolerance} of {expected}");
    }
}
