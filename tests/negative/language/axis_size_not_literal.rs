// The size of an axis is a literal.
use furiosa_visa_std::prelude::*;

const WIDTH: usize = 1024;

axes![A = WIDTH]; // expect error: E0104 the size of an axis must be a literal
