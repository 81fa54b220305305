//! Flash attention of one token (decode), with grouped queries, at 93 % of what HBM can read.
//!
//! Each of 8 sequences has a new token. Its 64 query heads of 128, eight to a head of keys and values, see a cache
//! of 4096 keys and values:
//!
//!     s = q K^T,   p = exp((s - m) / sqrt(D)),   o = p V / l        m, l: the largest of s, the sum of p
//!
//! The kernel is `decode_kernel/mod.rs`, with what it shares with `prefill` in `online_softmax/mod.rs`; its tests,
//! in a smaller size, are in `decode_small.rs`. Everything is in bf16 in HBM; scores and sums are in f32.
//! `distances` says which keys there are: for each key of the first tile its number less the length of its sequence.
//! From 0 on a key is masked.
//!
//!     contra schedule examples/models/attention/decode.rs
//!
//! # Mapping
//!
//! The cache is `[Key, B, Kv, D]`: what a token adds to it, for all sequences and heads, is a piece of 16 KiB. It
//! goes to the slices as it lies there, 256 bytes, a key, at a time: the heads to the eight DMA engines (`Kv`),
//! pairs of sequences to the two networks of each (`B % 2`), the rest to the 32 slices of a network (`B / 2`, `Key %
//! 8`). That is the order in which engines go through their slices (see `decode_gemv`), so that all together read
//! HBM from one end to the other.
//!
//! So a sequence and a head belong to eight slices, each with every eighth key. Each of them goes through its keys
//! in tiles of 128, as `prefill` does (online softmax: when a tile has a larger score than those before, their sums
//! shrink), and ends up with a largest score m, a weight l and a sum of values o of its own. In the end these go
//! round (a ring of eight), and exp(m - largest m) says how much each of them counts.
//!
//!     for each tile of keys                       4        1024 of each sequence, 128 in a slice
//!         K, V                                             2 x 11,423 cycles of DMA
//!         s                                                4,096 for K to TRF (sub), 525 for the product
//!         m, p, l, p V, o                                  2,100
//!
//! # Engines and memory
//!
//! - s: keys in TRF, eight rows with two keys each; the query heads of a group go past them: Fetch, Collect,
//!   Contraction, Vector (mask), Commit. That is how grouped queries save work: keys are read once for all.
//! - m, p, l: Vector (narrow, float, intra-slice reduce, clip), Cast.
//! - p V: the other way round, weights in TRF, a row for each head, and values going past them. So what is added up,
//!   over keys, is in time, and each lane has a column: nothing has to be turned, as `prefill` does. The accumulator
//!   holds 32 columns of eight rows, so there is a pass for each 32.
//! - The end: Switch, Vector (float, intra-slice reduce over what has come from eight slices, division), Cast.
//!
//! Memory in a slice: two tiles of keys and two of values (32 KiB each), q (2 KiB), s (4 KiB), p (2 KiB), o twice
//! and p V (4 KiB each), and a few numbers for each head. TRF: keys in one half, weights in the other one. VRF: m
//! twice, alpha, l, the mask, and factors for eight slices (3.5 KiB).
//!
//! A key that is masked scores -1e30, which is finite: where all keys of a slice are masked its m is that, its
//! weights are 1, and in the end they count exp(-1e30 - m), nothing.
//!
//! # What bounds it
//!
//! HBM: 128 MiB of keys and values, each used once for 8 heads. That takes 89,478 cycles at 1.5 TB/s; the kernel
//! takes 97,554, at 92.7 %. The multipliers could do 24 times as much. What is lost: 2,005 cycles before the first
//! keys come, 238 in each of the eight loads, 4,165 after the last values have come: 1,306 for their products, 2,253
//! for what eight slices have found, 606 for the result.
//!
//! # Sizes
//!
//! - Kv and B are 8: 2 clusters x 4 engines, and 2 x 4 of 32 slices. With B = 16 four slices share a sequence and a
//!   head: Pair, Slice (`Key % 4`), Whole, TileKeys and the ring have other numbers.
//! - G is 1 (plain attention), 2, 4 or 8: a row of TRF each.
//! - Key is a multiple of a tile; a tile is 128 keys or a multiple, up to what half of TRF holds: 16384 / D keys of
//!   a slice, 8 times as many of a sequence. Tiles, TileKeys and KeyGroups say so.
//! - D is a multiple of 32.
//!
//! Sizes that do not fit are refused (E0107, E0503, E0521, E0635).
//!
//! # What to try
//!
//! - Tiles of half the size (`Key / 512`, `Key / 8 % 64`, `Key / 128 % 4`, eight of them): a little less to do after
//!   the last one, but eight more commands to start: 100,948 cycles.
//! - A cache of `[B, Kv, Key, D]`: DMA then reads places that lie far apart, and always from a few channels:
//!   655,290.
//! - G = 1: as many bytes and an eighth of the work, 94,526.

use furiosa_visa_std::prelude::*;

mod decode_kernel;

axes![B = 8, Kv = 8, G = 8, Key = 4096, D = 128, Part = 8, Two = 2];

type Tiles = m![Key / 1024];
type OneTile = m![1 # 4]; // of all
type TileKeys = m![Key / 8 % 128]; // of a tile, in each slice
type KeyGroups = m![Key / 128 % 8]; // of 16 of them
type OneColumnTile = m![1 # 4]; // of 32 columns, of all
