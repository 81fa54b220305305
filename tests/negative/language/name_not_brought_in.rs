// What the language has beside the prelude is there for those who `use` it.
fn count() -> usize {
    let mut seen = HashMap::new(); // expect error: E0420 not in scope
    seen.insert(1, swap(2)); // expect error: E0420 not in scope
    seen.len()
}
