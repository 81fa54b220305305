// A product of mappings is written with a comma.
use furiosa_visa_std::prelude::*;

axes![A = 1024, B = 4];

type Both = m![A * B]; // expect error: E0407 * is no mapping operator
