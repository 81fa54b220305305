// A crate whose modules are files in all three layouts: shapes.rs, kernels/mod.rs, and blocks.rs beside blocks/.
#![allow(dead_code)]

pub mod blocks;
pub mod kernels;
mod shapes;

pub use kernels::*;
pub use shapes::{Chip, Cluster, Lanes, Rows};
