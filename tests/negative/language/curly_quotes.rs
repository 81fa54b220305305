// A word processor has replaced the quotes.
use furiosa_visa_std::prelude::*;

const KERNEL: &str = “scale”; // expect error: E0406 no plain quotes
