//! A folder with a `mod.rs`.

pub mod add;
pub mod scale;

use super::{Chip, Cluster};
