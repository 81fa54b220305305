// Nothing stops the halving: 0 / 2 is 0.
use furiosa_visa_std::prelude::*;

fn halvings(place: u64) -> u64 {
    1 + halvings(place / 2) // expect error: E0453 calls itself again and again
}

#[device(chip = 1)]
fn count(_ctx: &mut Context) {
    let _steps = halvings(1 << 28);
}
