// The place is never 3.
use furiosa_visa_std::prelude::*;

#[device(chip = 1)]
fn wait(_ctx: &mut Context) {
    let mut place = 0u64;
    while place != 3 { // expect error: E0452 the loop does not end
        place += 2;
    }
}
