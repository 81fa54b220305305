// A module is no type.
use furiosa_visa_std::prelude::*;

mod shapes {}

fn sizes(_of: shapes) {} // expect error: E0428 shapes is a module
