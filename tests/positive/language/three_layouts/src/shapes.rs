// Axes and aliases that the whole crate shares.
use furiosa_visa_std::prelude::*;

axes![
    Rows = 256, // one row a slice
    Lanes = 8,  // one flit a row
];

pub type Chip = m![1];
pub type Cluster = m![1 # 2];
pub(crate) type Slice = m![Rows];
