// Operators that the type does not have, or not with this on the other side.
use std::ops::Add;

struct At(u64);

impl Add<u64> for At {
    type Output = At;
    fn add(self, by: u64) -> At {
        At(self.0 + by)
    }
}

fn moved(at: At, by: u64) -> At {
    at + by + 1
}

fn both(a: At, b: At) -> At {
    a + b // expect error: E0440 does not take
}

fn back(at: At) -> At {
    at - 1 // expect error: E0440 does not take
}

fn changed(mut at: At) -> At {
    at += 1; // expect error: E0440 does not take
    at
}

fn negated(at: At) -> At {
    -at // expect error: E0440 does not take
}
