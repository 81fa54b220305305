//! A matrix product over four chips: rows stay, columns go round.
//!
//! C[i, j] = sum over k of A[i, k] * B[j, k], 65,536 by 512 by 512 in bf16, sums in f32, results in bf16. Each chip has
//! a quarter of the rows of A and of the columns of B (16,384 and 128), and computes its rows of C, for which it needs
//! all columns. So while it multiplies with the columns it has, those of the next chip come from there: four steps, and
//! three moves. The kernel itself is `chip_gemm_kernel/mod.rs`; its test, in a smaller size, is in
//! `chip_gemm_small.rs`.
//!
//!     contra schedule examples/kernels/chip_gemm.rs
//!
//! # Mapping
//!
//! What must travel decides which axis goes to chips, since PCIe moves 30 bytes a cycle in each direction, a fiftieth
//! of what HBM does:
//!
//! | over chips | travels | bytes into each chip | cycles |
//! |---|---|---|---|
//! | rows (this kernel) | columns of B, bf16 | 3 x 128 KiB | 13,107 |
//! | columns | rows of A, bf16 | 3 x 16 MiB | 1,677,722 |
//! | K | sums of C, f32 | 3/4 of 128 MiB | 3,355,443 |
//!
//! In general: the smaller factor goes round. The larger one has to have 6,554 rows on each chip, or the multipliers
//! wait for PCIe: a column of K numbers takes 2 K x 3/4 / 30 cycles to come, and rows x K / 131,072 to be multiplied.
//!
//! In a chip it is `double_buffered_gemm.rs`: rows go to clusters and slices, 32 each; columns go in tiles of 32, of
//! which each of the 256 slices of a cluster has 128 bytes, and the Switch Engine passes them round on their way to
//! TRF. Flits have 16 of K and meet 32 columns: 8 rows of TRF, 2 in a packet, 2 in turn.
//!
//! `hbm_chip_shuffle` names for each chip the one it reads from, so chip t has the columns of chip t + 1, then of t + 2
//! and t + 3. All chips execute the same commands, and what they compute in step s lies in the same place, but belongs
//! to other columns on each: block s of chip t is C[rows of t, columns of (t + s) % 4]. The host, who knows, reads it
//! so.
//!
//! # Engines and memory
//!
//! DMA (also between chips), Fetch, Switch, Collect, Contraction with eight rows and two sums each, Cast, Commit into a
//! view. A slice has its rows at 0 (32 KiB), then columns (512 bytes) and results (8 KiB) of each of four steps: as all
//! have places of their own, nothing waits for a place. TRF has a tile in each half, 8 x 4 KiB.
//!
//! In HBM rows and results lie as they are: 128 columns of a row are 256 bytes, what HBM writes at once. The columns
//! lie as the slices pass them round.
//!
//! # What bounds it
//!
//! The multipliers: 17,179,869,184 products take 32,768 cycles on four chips. The kernel takes 48,669, 67.3 % of the
//! peak. From its first pass to its last the main context never waits: all DMA but the first rows and columns and the
//! last results runs beside passes. That is 14,610 cycles for three moves between chips (of which PCIe itself needs
//! 13,107), 2,013 for columns on their way to DM and 9,693 for results, in the 33,344 of all passes. What is lost: 671
//! cycles for the first columns, 11,423 for the rows, 36 in each of 16 passes that has to fill, 3,231 for the results
//! of the last step. The rows, which are most of it, do not grow with J: with 256 columns on each chip it is 77.2 %.
//!
//! The order of DMA decides it, as there is one queue for everything. The move for step s + 2 stands in front of the
//! store of step s, which waits for passes; and the first move stands behind the rows, which all wait for.
//!
//! It needs K and J of that size: there are 121 MACs for a byte of HBM, and 87 are what the multipliers want. With half
//! of K and J it would be 62, and HBM the bound, whatever the order.
//!
//! # Sizes
//!
//! - I, the rows of a chip, is any multiple of 512, up to 130,560, which fills DM.
//! - J, the columns of a chip, is any multiple of 32; `OneTile` says how many tiles that is. With other numbers than
//!   multiples of 128 HBM writes units in part, which takes far longer.
//! - K is 512: `ColumnSlice` has J % 8 and K / 16, 256 slices in all.
//! - With P = 2 or 8 there are as many steps (`Step`, and `1 # 4` of the store), and patterns of that length.
//!
//! Sizes that do not fit are refused (E0107, E0504, E0505, E0510, E0521).
//!
//! # What to try
//!
//! - `dm_chip_shuffle` of what is in DM already, without `others`: 58,880 cycles, since both clusters have a copy, and
//!   both travel.
//! - I = 8192, a little more than PCIe asks for: 34,130 cycles, 48.0 %. What takes turns on the queue beside PCIe is
//!   too much for passes of half the length.
//! - Pattern `[3, 0, 1, 2]`: the columns come from the other side, and blocks are those of (t - s) % 4.

use furiosa_visa_std::prelude::*;

mod chip_gemm_kernel;

axes![P = 4, I = 16384, J = 128, K = 512, Step = 4]; // P: chips; I and J: rows and columns of each

type OneTile = m![1 # 4]; // of the columns of a chip
