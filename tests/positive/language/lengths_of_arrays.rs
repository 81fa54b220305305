// Lengths are numbers, constants, sizes and arithmetic of these.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

const COUNT: usize = 4;

fn places() -> [u64; COUNT] {
    [0, 64, 128, 192]
}

fn rows() -> [u64; { A::SIZE / COUNT }] {
    [0, 32]
}

fn all() -> [u64; <m![A]>::SIZE] {
    [0; 2 * COUNT]
}
