// prints: 1 5 true
// prints: 3 9
// prints: 1 2 3 4 5 
use std::ops::RangeInclusive;
fn main() {
    let r = RangeInclusive::new(1, 5);
    println!("{} {} {}", r.start(), r.end(), r.contains(&5));
    let (a, b) = (3..=9).into_inner();
    println!("{a} {b}");
    for i in r {
        print!("{i} ");
    }
    println!();
}
