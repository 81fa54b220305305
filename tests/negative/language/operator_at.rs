// Offsets are not part of a mapping.
use furiosa_visa_std::prelude::*;

axes![A = 1024];

type Late = m![A @ 512]; // expect error: E0407 @ is no mapping operator
