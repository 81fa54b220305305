// A `let`, a loop and a parameter take every value.
fn first(items: Vec<Option<u64>>) -> u64 {
    let Some(n) = items[0]; // expect error: E0470 it may be None
    for (Some(n), _) in items.iter().zip(0..2) {} // expect error: E0470 (None, _)
    n
}

fn second((_, Ok(n)): (u64, Result<u64, u64>)) -> u64 { // expect error: E0470 (_, Err(_))
    n
}
