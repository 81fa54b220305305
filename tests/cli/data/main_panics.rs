fn main() {
    println!("so far");
    panic!("no further");
}
