// A format that wants more than it is given.
fn main() {
    let count = 3;
    println!("{} of {}", count); // expect error: E0932 the format wants argument 1
    println!("{count} of {}", 5);
}
