//! What the tests of `fetch_patterns.rs` and `commit_patterns.rs` read and write: small whole numbers, which bf16 holds;
//! so are their products, and f32 holds sums of those.

use furiosa_visa_std::prelude::*;

pub fn number(e: usize) -> f32 {
    ((e * 7 + e / 100 * 3) % 31) as f32 - 15.0
}

pub fn numbers(count: usize) -> Vec<Opt<bf16>> {
    (0..count).map(|e| Opt::Init(bf16::from_f32(number(e)))).collect()
}
