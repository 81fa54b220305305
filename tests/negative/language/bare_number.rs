// Only 1 may stand alone in a mapping: a broadcast needs an axis of its own.
use furiosa_visa_std::prelude::*;

axes![A = 1024];

type Spread = m![A / 4, 4]; // expect error: E0106 a bare number other than 1 is no mapping
