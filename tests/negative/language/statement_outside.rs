// Statements stand in functions.
use furiosa_visa_std::prelude::*;

axes![A = 8];

let count = <m![A]>::SIZE; // expect error: E0415 stands outside of `main`

fn main() {}
