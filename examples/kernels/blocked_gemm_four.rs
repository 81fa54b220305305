//! A matrix product over four chips, each of which takes a quarter of the rows in blocks.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], 16,384 by 4096 by 4096, factors in bf16, sums in f32: 128 MiB of A, 32
//! MiB of B and 256 MiB of C, which no DM holds. Each chip has 4096 rows of A and of C in its HBM, and all of B. What
//! it does with them is `blocked_gemm.rs`: both are `blocked_gemm_kernel/mod.rs`, which knows nothing of chips but the
//! type `Chip`. Its test, in a smaller size, is in `blocked_gemm_four_small.rs`.
//!
//!     contra schedule examples/kernels/blocked_gemm_four.rs
//!
//! # Mapping
//!
//! P goes to chips: `HbmTensor<bf16, m![P], m![I, K]>` has other rows on each chip, and `m![J, K]` without a P is on
//! every chip the same. The host writes it so: `to_hbm` of a tensor without P copies it to all of them. Then nothing
//! travels between chips. What would, if each chip began with a quarter of everything:
//!
//! | over chips | travels | bytes into each chip | cycles of PCIe |
//! |---|---|---|---|
//! | rows (this kernel) | columns of B, bf16 | 3/4 of 32 MiB | 838,861 |
//! | columns | rows of A, bf16 | 3/4 of 128 MiB | 3,355,443 |
//! | K | sums of C, f32 | 3/4 of 256 MiB | 6,710,886 |
//!
//! Even the first is longer than the product itself, so B is copied once, before; as weights it stays where it is for
//! all products to come. `chip_gemm.rs` is the other way: B goes round, and there are enough rows to hide it behind.
//!
//! On a chip rows go to clusters and groups of slices, and columns to the 64 slices of a group; K goes to time in four
//! blocks of 1024, and so do the tiles of columns and the groups of rows.
//!
//! # Engines and memory
//!
//! Those of `blocked_gemm.rs`: DMA, Fetch, Switch (a ring of 64), Collect, Contraction, Vector (an addition), Commit
//! into a view. All chips execute the same commands, each on its own HBM and DM. A slice has A at 0 and 0x4000 (16 KiB
//! each), B at 0x8000 (128 KiB), C at 0x28000 (128 KiB); TRF 8 x 4 KiB in each half; VRF 4 KiB at 0 and at 0x1000.
//!
//! # What bounds it
//!
//! The multipliers: 274,877,906,944 products take 524,288 cycles on four chips, and 563,980 here, 93.0 % of the peak.
//! One chip takes 563,884 for a quarter of them. So four chips do four times as much: they share nothing, neither HBM
//! nor PCIe. The 96 cycles are no work: the cost model looks at a part of the requests of a load, a smaller one where
//! there are four times as many, and comes to 13,876 cycles instead of 13,828 for two loads that all wait for. HBM is
//! at 43.6 %.
//!
//! What is lost is lost on each chip: 17,972 cycles until the first tile is in TRF, 5,036 as rows come before the
//! second tile, 8,928 in 128 passes that fill, 7,756 for the last of C.
//!
//! # Sizes
//!
//! - P is the number of chips, as `#[device(chip = 4)]` says it: 2 and 8 take 563,916 and 564,108 cycles for as many
//!   rows on each.
//! - I, the rows of a chip, J and K are those of `blocked_gemm.rs`: I a multiple of 512 up to 9,728, with `OneGroup` as
//!   many; J 4096; K a multiple of a block.
//!
//! Sizes that do not fit are refused (E0107, E0503, E0504, E0510).
//!
//! # What to try
//!
//! - I = 8192 with `OneGroup = m![1 # 16]`: 1,095,750 cycles, 95.7 %. What is lost in the beginning weighs half as
//!   much.
//! - I = 1024 with `m![1 # 2]` and PARTS = 2, so that four chips share out the 4096 rows of one: 279,873 cycles, 46.8
//!   %, half the time with four times the chips. Each of them still reads all of B, 58.5 MACs for a byte of HBM, and
//!   HBM is the bound.
//! - P = 3 without `chip = 3`: the error names both.

use furiosa_visa_std::prelude::*;

mod blocked_gemm_kernel;
use blocked_gemm_kernel::multiply_blocks;

axes![P = 4, I = 4096, J = 4096, K = 4096]; // P: chips; I: rows of each

type Chip = m![P];
type Blocks = m![K / 1024];
type Block = m![K % 1024];
type Flits = m![K / 16 % 64]; // of a block
type OneBlock = m![1 # 4]; // of all
type OneGroup = m![1 # 8]; // of 512 rows, of all
const PARTS: usize = 4;

#[device(chip = 4)]
fn gemm(
    ctx: &mut Context,
    a: &HbmTensor<bf16, Chip, m![I, K]>,
    b: &HbmTensor<bf16, Chip, m![J, K]>,
    c: &mut HbmTensor<f32, Chip, m![I, J]>,
) {
    multiply_blocks(ctx, a, b, c);
}
