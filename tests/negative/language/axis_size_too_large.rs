// The size of an axis is a number of 64 bits with a sign. This one has more digits than any of them, so that nothing could count
// the positions of the axis, let alone its bytes.
use furiosa_visa_std::prelude::*;

axes![S = 256, A = 99999999999999999999]; // expect error: E0104 the size of an axis is too large
