// Nothing says what the closure is given when its field is read.
fn total() -> u64 {
    let width = |plan| plan.width; // expect error: E0431 the type must be known
    width(3)
}
