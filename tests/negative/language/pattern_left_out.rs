// A field that the pattern gives only under `#[cfg(..)]` is left out of it.
struct Place {
    slot: i32,
}

fn slot_of(place: Place) {
    let Place { #[cfg(windows)] slot } = place; // expect error: E0437
}

struct Pair {
    left: i32,
    right: i32,
}

fn left_of(pair: Pair) -> i32 {
    let Pair { left, #[cfg(windows)] right, } = pair; // expect error: E0437
    left
}
