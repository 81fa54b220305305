use furiosa_visa_std::prelude::*;

axes![
    Rows = 256, // one to a slice
    Width = 32,
];
