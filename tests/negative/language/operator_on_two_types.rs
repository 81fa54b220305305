// Both sides of an operator have one type.
use furiosa_visa_std::prelude::*;

fn place(row: usize, start: u64) -> u64 {
    start + row // expect error: E0440 u64 and usize
}
