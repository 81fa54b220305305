// Twice as long in every round.
use furiosa_visa_std::prelude::*;

#[device(chip = 1)]
fn grow(_ctx: &mut Context) {
    let mut list = vec![0];
    loop { // expect error: E0452 the loop does not end
        list.extend_from_within(..); // expect warning: E0462 longer than anybody looks at
    }
}
