// A string ends in the quote it began with.
use furiosa_visa_std::prelude::*;

const KERNEL: &str = "scale'; // expect error: E0405 the string is not closed
const PLACE: u64 = 0x1000;
