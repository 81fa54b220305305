// A module may lie in a file of another name; two modules may share one.
use furiosa_visa_std::prelude::*;

#[path = "lengths_of_arrays.rs"]
mod lengths;
#[path = "lengths_of_arrays.rs"]
mod again;
