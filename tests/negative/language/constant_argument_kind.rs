// Constants of another kind than the parameter.
fn chosen<const FIRST: bool>() -> u64 {
    if FIRST { 0 } else { 1 }
}

fn room<const N: usize>() -> [u64; N] {
    [0; N]
}

fn all() -> u64 {
    let right = chosen::<true>() + room::<2>()[0];
    let number = chosen::<1>(); // expect error: E0433 is `bool`
    let truth = room::<true>(); // expect error: E0433 is `usize`
    let negative = room::<-1>(); // expect error: E0433 is `usize`
    right
}
