fn main() {
    println!("{} and {}", 1 + 1, "three");
}
