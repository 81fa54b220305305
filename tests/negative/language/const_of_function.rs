// The length of an array is known without running anything.
use furiosa_visa_std::prelude::*;

fn count() -> usize {
    4
}

fn places() -> [u64; count()] { // expect error: E0444 a call has no value here
    [0, 64, 128, 192]
}
