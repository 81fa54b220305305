// One field is given twice.
struct Place {
    slot: u64,
}

fn start() -> u64 {
    let place = Place { slot: 0, slot: 1 }; // expect error: E0422 slot once more
    place.slot
}
