use furiosa_visa_std::prelude::*;
use std::collections::Bogus;

fn main() {
    let bag = Bogus::from(4); // expect error: E0420 there is no type, axis or module `Bogus`
    println!("{}", bag.len());
}
