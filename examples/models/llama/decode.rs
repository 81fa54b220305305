//! One token a launch.

use super::*;

axes![Tok = 1];

#[path = "kernels/mod.rs"]
mod kernels;

pub use kernels::step;
pub const COUNT: usize = Tok::SIZE;
