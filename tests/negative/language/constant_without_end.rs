// A length that is never found.
const fn up(from: usize) -> usize {
    let mut at = from;
    while at > 0 { // expect error: E0444 more than
        at += 1;
    }
    at
}

const fn down(from: usize) -> usize {
    let mut at = from;
    while at > 3 {
        at -= 1;
    }
    at
}

fn right() -> [u8; down(8)] {
    [1; 3]
}

fn wrong() -> [u8; up(1)] {
    todo!()
}
