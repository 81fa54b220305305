// A constant in a type has 64 bits with a sign: the last number of usize is beyond.
use furiosa_visa_std::prelude::*;

fn count<const N: usize>() -> usize {
    N
}

fn all() -> usize {
    count::<{ usize::MAX }>() // expect error: E0444 no constant that can stand in a type
}
