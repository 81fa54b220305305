//! A crate of two files.

pub mod parts;

pub fn halve_all(values: &[i32]) -> Vec<i32> {
    values.iter().map(|value| parts::halve(*value)).collect()
}
