// Operands are plain decimal numbers.
use furiosa_visa_std::prelude::*;

axes![A = 1024];

type Blocks = m![A / 0x10]; // expect error: E0407 the operand must be a plain decimal literal
