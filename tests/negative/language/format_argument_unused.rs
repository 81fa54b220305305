// An argument that no brace of the format takes.
fn main() {
    let (a, b) = (1, 2);
    println!("{}", a, b); // expect error: E0932 does not use this argument
    println!("{} {}", a, b);
}
