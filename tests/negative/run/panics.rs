// command: run
// A program that ends in a panic.
fn share(whole: u32, parts: u32) -> u32 {
    assert!(parts > 0, "there are {} parts", parts); // expect error: E0922 there are 0 parts
    whole / parts
}

fn main() {
    println!("{}", share(12, 0));
}
