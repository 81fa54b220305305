// A bound that is not written yet, and a body that is not, either.
use furiosa_visa_std::prelude::*;

#[device(chip = 1)]
fn wait(_ctx: &mut Context) {
    for _tile in 0.. {} // expect error: E0452 the loop does not end
}
