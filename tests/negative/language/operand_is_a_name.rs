// The right side of an operator is a number, not an axis.
use furiosa_visa_std::prelude::*;

axes![A = 1024, B = 4];

type Blocks = m![A / B]; // expect error: E0407 the operand of / must be a literal
