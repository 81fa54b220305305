// An empty mapping is written m![1].
use furiosa_visa_std::prelude::*;

axes![A = 1024];

type Nothing = m![]; // expect error: E0407 empty mapping
