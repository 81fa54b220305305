// Operands have no type suffix.
use furiosa_visa_std::prelude::*;

axes![A = 1024];

type Blocks = m![A / 16usize]; // expect error: E0407 the operand must be a plain decimal literal
