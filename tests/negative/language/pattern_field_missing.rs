// A pattern names all fields, or ends in `..`.
struct Place {
    slot: u64,
    row: u64,
}

fn start(place: Place) -> u64 {
    let Place { slot } = place; // expect error: E0437 row is left out
    slot
}
