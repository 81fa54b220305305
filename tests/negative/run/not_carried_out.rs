// command: run
// Something of the standard library that the checker knows and nobody carries out.
fn main() {
    let name = std::any::type_name::<u32>(); // expect error: E0921 `type_name`
    println!("{}", name);
}
