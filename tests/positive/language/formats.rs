// Formats with arguments by place, by number, by name, and variables in them.
fn main() {
    let (name, width, value) = ("x", 8, 2.5);
    println!("{} {0} {1:?} {name}", 1, "b");
    println!("{value:>width$.2} {:.*} {:<room$}", 3, 1.25, 7, room = 4);
    println!("{{}} {:#?} {:+} {:#010b} {:e}", Some(name), 1, 5, 1e3);
    assert_eq!(1 + 1, 2, "{name} has {} parts", 2);
}
