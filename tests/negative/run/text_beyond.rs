// command: run
// A place in a text is counted in bytes, all of which are there.
fn main() {
    let text = "für";
    println!("{}", &text[..u64::MAX as usize]); // expect error: E0922 byte index 18446744073709551615 is out of bounds
}
