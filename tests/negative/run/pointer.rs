// command: run
// Values have no addresses that could be printed.
fn main() {
    let value = 1;
    println!("{:p}", &value); // expect error: E0921 the address of a value
}
