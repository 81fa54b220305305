//! The kernels of `main.rs` in the sizes of Llama 3 8B, one token a launch: for `contra schedule`.

use furiosa_visa_std::prelude::*;

mod decode;
mod model;
#[path = "sizes_8b.rs"]
mod sizes;

use model::*;
use sizes::*;

const ARGUMENTS: u64 = 43 << 30; // what the host sends for each step
