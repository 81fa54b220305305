// A kernel cannot make a lazy value, and neither can any other function: only statics hold one.
use furiosa_visa_std::prelude::*;
use std::cell::LazyCell;

#[device(chip = 1)]
fn lazy(ctx: &mut Context) {
    let rows = LazyCell::new(|| 4); // expect error: E0921 not a static
}

fn on_the_host() -> i32 {
    let rows = LazyCell::new(|| 4); // expect error: E0921 not a static
    *rows
}
