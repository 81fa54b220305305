// Two parameters of one name.
fn distance(from: u64, from: u64) -> u64 { // expect error: E0422 from is taken
    from
}
