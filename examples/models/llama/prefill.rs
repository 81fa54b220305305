//! Several tokens a launch: a prompt, or a part of one.

use super::*;

axes![Tok = 16];

#[path = "kernels/mod.rs"]
mod kernels;

pub use kernels::step;
pub const COUNT: usize = Tok::SIZE;
