// Patterns have the form of what they take apart.
use furiosa_visa_std::prelude::*;

fn places() -> ((u64, u64), [u64; 3]) {
    ((0, 32), [64, 96, 128])
}

fn last(shift: u64) -> u64 {
    let ((_, start), [.., end]) = places();
    match (shift, end) {
        (0, _) => start,
        (by @ 1..=8, _) | (by, _) => end + by,
    }
}
