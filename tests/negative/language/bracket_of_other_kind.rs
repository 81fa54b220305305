// `[` is closed by `]`.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 8];

type Slices = m![S);  // expect error: E0403 `)` closes `[`
