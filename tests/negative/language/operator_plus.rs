// Padding is written `# n` with the size it pads to, never as a sum.
use furiosa_visa_std::prelude::*;

axes![A = 90];

type Padded = m![A + 6]; // expect error: E0407 + is no mapping operator
