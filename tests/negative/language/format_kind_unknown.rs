// A way to format that does not exist.
fn main() {
    println!("{:y}", 10); // expect error: E0931 is no way to format
    println!("{:#x} {:>4} {:08.3} {:?}", 10, "a", 1.5, Some(1));
}
