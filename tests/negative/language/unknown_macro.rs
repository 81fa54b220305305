// Mappings are written with m!.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

type Lanes = map![A % 8]; // expect error: E0409 unknown macro map
