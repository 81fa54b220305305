// `self`, `super` and `crate` are modules, also where a type or a constant needs a number.
use furiosa_visa_std::prelude::*;

const FIRST: usize = {
    let mut n = 1;
    while self < 3 { // expect error: E0429
        n += 1;
    }
    n
};

type Row = [i32; FIRST];

struct Sized<const N: usize>;

fn take(_sized: Sized<{ crate }>) -> [i32; 2] { // expect error: E0429
    [0; self] // expect error: E0429
}
