// Every axis states its size.
use furiosa_visa_std::prelude::*;

axes![A]; // expect error: E0410 axis A has no size
