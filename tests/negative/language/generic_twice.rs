// Two generics of one name, and one that the block around it has.
struct Pair<T>(T, T);

impl<T> Pair<T> {
    fn with<T>(self, value: T) -> T { // expect error: E0422 T is that of Pair
        value
    }
}

fn first<A, A>(a: A) -> A { // expect error: E0422 A again
    a
}
