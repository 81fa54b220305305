// Each cast has all before it inside.
use furiosa_visa_std::prelude::*;

fn place() -> u64 {
    0 // expect error: E0455 nested 650 deep
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
        as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64 as u64
}
