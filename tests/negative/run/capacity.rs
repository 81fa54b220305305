// command: run
// What never ends is not collected.
fn main() {
    let list: Vec<u64> = (0..).map(|x| x * x).collect(); // expect error: E0922 capacity overflow
    println!("{}", list.len());
}
