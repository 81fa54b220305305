// `#![..]` stands first in a file.
use furiosa_visa_std::prelude::*;

#![feature(adt_const_params)] // expect error: E0411 not at the start of the file

axes![S = 256, A = 8];
