// No kernel, but a function that never ends.
fn count() -> u64 {
    let mut place = 0u64;
    loop { // expect error: E0452 the function does not end
        place += 2;
    }
}
