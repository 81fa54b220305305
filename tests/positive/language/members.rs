// Functions of one name may stand in blocks for types that differ, in traits, and as fields.
struct Pair<T> {
    first: T,
    second: T,
}

impl Pair<u64> {
    fn sum(&self) -> u64 {
        self.first + self.second
    }
    fn first(&self) -> u64 {
        self.first
    }
}

impl Pair<f32> {
    fn sum(&self) -> f32 {
        self.first + self.second
    }
}

trait Total {
    fn total(&self) -> u64;
}

impl Total for Pair<u64> {
    fn total(&self) -> u64 {
        self.sum() + self.first()
    }
}

fn both<'a, T>(a: &'a T, b: &'a T) -> (&'a T, &'a T) {
    (a, b)
}

fn total() -> u64 {
    use std::cmp::max as larger;
    enum Step {
        By(Bytes),
    }
    type Bytes = u64;
    let pair = Pair { first: 1, second: 2 };
    let (a, b) = both(&pair.first, &pair.second);
    let Step::By(bytes) = Step::By(larger(*a, *b));
    bytes + pair.total()
}
