// A mapping may only name axes that are declared.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

type Row = m![B % 8]; // expect error: E0420 unknown axis B
