// This file is its own module.
use furiosa_visa_std::prelude::*;

#[path = "module_in_itself.rs"]
mod again; // expect error: E0424 the module contains itself
