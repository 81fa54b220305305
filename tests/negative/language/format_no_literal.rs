// A format that is a variable; what a macro gives may be one.
fn main() {
    let text = "{}";
    println!(text, 1); // expect error: E0931 a format must be a string literal
    assert!(text.len() == 2, text); // expect error: E0931
    println!(concat!("a", "b"));
}
