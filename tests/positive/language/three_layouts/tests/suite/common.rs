// What the tests of the suite share.
use furiosa_visa_std::prelude::*;
use three_layouts::{Lanes, Rows};

pub fn counting() -> Vec<Opt<i32>> {
    (0..<m![Rows, Lanes]>::SIZE).map(|x| Opt::Init(x as i32)).collect()
}
