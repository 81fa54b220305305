// One field is taken out twice.
struct Place {
    slot: u64,
    row: u64,
}

fn start(place: Place) -> u64 {
    let Place { slot, row, slot: again } = place; // expect error: E0422 slot once more
    slot + row + again
}
