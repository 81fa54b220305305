// Macros of one's own are not expanded.
use furiosa_visa_std::prelude::*;

fn ranges() {
    let _range = hashmap!(1, 2); // expect error: E0447 hashmap! is not known
}
