// A module has a name once, whether it declares it or takes it from elsewhere. A module and a function may share one.
use furiosa_visa_std::prelude::*;

use inner::{A, first, place, place as other, second}; // expect error: E0422 place

axes![A = 8];

mod inner {
    use super::*;
    axes![A = 8];
    pub fn place() -> usize {
        A::SIZE
    }
    pub fn first() {}
    pub fn second() {}
}

mod first {}

fn place() -> usize {
    other()
}

fn main() {
    first();
    second();
    println!("{}", place());
}
