// What is said of a statement without its `;`, or of the block that ends in it, would follow from that.
fn next(a: i32) -> i32 {
    let b: i32 = a + 1 // expect error: E0402 `;` is missing
}

fn largest(list: &[i32]) -> i32 {
    let first: i32 = list.iter() // expect error: E0402 `;` is missing
    let other = if first > 1 { let c = 3 } else { 4 }; // expect error: E0402 `;` is missing
    other
}
