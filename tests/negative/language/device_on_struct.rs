// The attribute belongs on a function.
use furiosa_visa_std::prelude::*;

#[device(chip = 1)] // expect error: E0446 #[device] on something that is no function
struct Kernel;
