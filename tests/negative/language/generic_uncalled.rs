// Nobody calls these: what is wrong whatever the generics are is said all the same.
use furiosa_visa_std::prelude::*;

axes![A = 64];

struct Pair<T> {
    first: T,
    second: T,
}

impl<T> Pair<T> {
    fn third(&self) -> &T {
        &self.third // expect error: E0436 no such field
    }
    fn swap(self) -> Pair<T> {
        Pair { first: self.second, second: sefl.first } // expect error: E0420 self misspelt
    }
}

fn names<X: M>(x: &HbmTensor<i8, m![1], X>) -> u64 {
    let y = x.view().adress(); // expect error: E0434 no such method
    missing(x) // expect error: E0420 no such function
}

fn counts<const N: usize>(items: [u64; N]) -> u64 {
    largest(items[0]) // expect error: E0435 two arguments
}

fn largest(a: u64, b: u64) -> u64 {
    a.max(b)
}

fn types<T>(value: T) -> u64 {
    let n: u64 = value; // expect error: E0430 a T is no u64
    n
}

fn sums<T>(a: T, b: T) -> T {
    a + b // expect error: E0440 nothing says that a T can be added
}

fn element<D: Scalar>(x: &HbmTensor<D, m![1], m![A]>) -> HbmTensorView<i8, m![1], m![A]> {
    x.view() // expect error: E0430 D is not i8
}
