// The function returns a pair.
use furiosa_visa_std::prelude::*;

fn places() -> (u64, u64) {
    (0, 1 << 28)
}

fn last() -> u64 {
    let (_, _, end) = places(); // expect error: E0439 a pattern of three, a value of two
    end
}
