//! The kernels of `main.rs` in the size of Llama 3 8B, one token a launch: what bounds a model of that size.
//!
//!     contra schedule examples/models/llama/llama_8b.rs --kernel attention
//!     contra schedule examples/models/llama/llama_8b.rs --kernel mlp
//!     contra schedule examples/models/llama/llama_8b.rs --kernel logits
//!
//! Sizes and mappings are in `sizes_8b.rs`; what goes on is told in `main.rs`.
//!
//! # What bounds it
//!
//! Every weight is used once, so HBM bounds it, which reads 1.5 TB/s at best.
//!
//! | kernel | MB from HBM | cycles at best | cycles | of the best |
//! |---|---|---|---|---|
//! | `attention`, cache of 2048 | 92 | 61,600 | 81,030 | 76 % |
//! | `mlp` | 352 | 235,000 | 262,118 | 90 % |
//! | `logits` | 1,074 | 716,200 | 737,601 | 97 % |
//!
//! That is 343,148 cycles a layer. 32 layers, the table and the logits come to 11.7 million: 85 tokens a second, if
//! nothing else takes time.
//!
//! What it takes: weights lie in HBM in the order in which the eight DMA engines read them, tile by tile (`decode_gemv`
//! tells why; the host puts them there as it sends them), DMA brings the next tiles while one is multiplied, and rows
//! are spread over slices of all networks of DM, with gaps where there are fewer of them (`KEY_GAP`, `DOWN_GAP`).
//!
//! What is lost in `attention`: 500 cycles that each of its 24 DMA commands takes to start, and 4,300 in which DMA has
//! nothing to do, most of them in the end, while the last tile is on its way to TRF. In `mlp` 29 commands start, and
//! the last tile, which has all of TRF, takes 9,000.
//!
//! # Sizes
//!
//! The vocabulary of 128,256 is filled up to 131,072. With more than one token a launch the scores of 2048 keys would
//! not fit into VRF any more.

use furiosa_visa_std::prelude::*;

mod decode;
mod model;
mod sizes_8b;

use model::*;
use sizes_8b::*;

const ARGUMENTS: u64 = 43 << 30; // what the host sends for each step
