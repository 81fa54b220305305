// Two sizes for one name in the same scope.
use furiosa_visa_std::prelude::*;

axes![A = 8, B = 4];
axes![A = 16]; // expect error: E0422 axis A is declared twice
