// One name for two parts of a tuple.
fn sum(pair: (u64, u64)) -> u64 {
    let (a, a) = pair; // expect error: E0422 a is bound twice
    a
}
