//! A file beside the folder of its submodules.

pub mod wide;

/// A user of both: how many values a table of that shape has.
pub fn values() -> usize {
    use furiosa_visa_std::prelude::*;
    use wide::*;
    <m![Rows, Width]>::SIZE
}
