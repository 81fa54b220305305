// A constant that cannot be evaluated is reported once; constants that branch on it get no error.
use furiosa_visa_std::prelude::*;

axes![Row = 8];

const HALF: usize = Row::SIZES / 2; // expect error: E0434 SIZE
const COUNT: usize = MISSING; // expect error: E0420 MISSING

const _: () = if HALF > 3 {
    panic!("more than three")
};
const _: () = match COUNT {
    0 => (),
    _ => panic!("there are some"),
};
const _: () = {
    let mut rounds = 0;
    while rounds < COUNT {
        rounds += 1;
    }
};
const _: () = {
    for _ in 0..HALF {}
};

fn main() {}
