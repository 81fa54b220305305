// A size that no number of 64 bits is.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 99999999999999999999]; // expect error: E0104 too large
