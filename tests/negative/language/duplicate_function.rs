// Two functions of one name in one module.
use furiosa_visa_std::prelude::*;

axes![A = 2048];

fn load(input: &HbmTensor<i32, m![1], m![A]>) {
    let _ = input;
}

fn load(input: &HbmTensor<i8, m![1], m![A]>) { // expect error: E0422 function load is defined twice
    let _ = input;
}
