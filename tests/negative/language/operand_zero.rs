// Nothing can be cut into blocks of zero.
use furiosa_visa_std::prelude::*;

axes![A = 1024];

type Blocks = m![A / 0]; // expect error: E0112 the operand must be greater than 0
