// A brace that is meant as a brace is written twice.
fn main() {
    println!("set {"); // expect error: E0931 never closed
    println!("set {{1, 2}}");
}
