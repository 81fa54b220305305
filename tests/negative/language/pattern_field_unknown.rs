// The struct has no field of that name.
struct Place {
    slot: u64,
}

fn start(place: Place) -> u64 {
    let Place { slot, row } = place; // expect error: E0436 no field row
    slot + row
}
