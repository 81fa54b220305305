// Axis names start with an uppercase letter.
use furiosa_visa_std::prelude::*;

axes![hidden = 1024]; // expect error: E0105 an axis name starts with an uppercase letter
