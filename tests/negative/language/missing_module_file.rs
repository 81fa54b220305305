// Neither attention.rs nor attention/mod.rs stands beside this file.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

mod attention; // expect error: E0423 no file for module attention
