// Octal numbers have the digits 0 to 7.
use furiosa_visa_std::prelude::*;

const PLACE: u64 = 0o1800; // expect error: E0404 8 is no octal digit
