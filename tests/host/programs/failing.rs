// prints: before
// fails: the answer is 41
// fails: failing.rs:14
//! A program that panics: what it printed stays, the message names the place.

fn answer() -> i32 {
    41
}

fn main() {
    println!("before");
    let a = answer();
    if a != 42 {
        panic!("the answer is {a}");
    }
    println!("after");
}
