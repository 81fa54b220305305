use furiosa_visa_std::prelude::*;
use helper::build; // expect error: E0421 there is no crate or module `helper`

// What comes from there is not known: nothing more is said of what is done with it.
fn main() {
    let made = build(3);
    let names: Vec<_> = made.iter().map(|row| row.name()).collect();
    let sum: i32 = build(4).map_or(0, |(a, b)| a.width() + b.height());
    build(|x, y| x.less(y));
    println!("{} {sum}", names.len());
}
