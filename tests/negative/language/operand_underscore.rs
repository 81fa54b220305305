// Operands have no digit separators.
use furiosa_visa_std::prelude::*;

axes![A = 4096];

type Blocks = m![A % 1_024]; // expect error: E0407 the operand must be a plain decimal literal
