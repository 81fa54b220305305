// What `into_iter` gives must be an iterator: here it gives the same again, without end.
struct Bag(i32);

impl IntoIterator for Bag {
    type Item = i32;
    type IntoIter = Bag;

    fn into_iter(self) -> Bag {
        self
    }
}

struct Half(i32);

impl IntoIterator for Half {
    type Item = i32;

    fn into_iter(self) -> Half {
        self
    }
}

fn main() {
    for item in Bag(1) { // expect error: E0440 cannot be looped over
        println!("{item}");
    }
    for item in Half(1) {
        println!("{item}");
    }
}
