// expect: 1 passed, 6 failed, 0 ignored
// says: `wrap` calls itself with new generic arguments each time: 128 nested instances
// says: `go` calls itself with new generic arguments each time
// says: `deeper` calls itself with new generic arguments each time
// says: `count` calls itself with new generic arguments each time
// says: `double` calls itself with new generic arguments each time
// says: `longer` calls itself with new generic arguments each time
use furiosa_visa_std::prelude::*;

axes![Row = 8];

fn wrap<T>(value: T) {
    wrap((value,));
}

struct Layer<T>(T);

impl<T> Layer<T> {
    fn go(self) {
        Layer(self).go()
    }
}

trait Deep {
    fn deeper(self);
}

impl<T> Deep for T {
    fn deeper(self) {
        Some(self).deeper()
    }
}

fn count<const N: usize>() {
    count::<{ N + 1 }>()
}

fn double<T: Clone>(value: T) {
    double((value.clone(), value));
}

fn longer<X: M>() {
    longer::<m![{ X }, 1]>()
}

fn few<T: Clone>(left: usize, value: T) -> usize {
    if left == 0 {
        0
    } else {
        1 + few(left - 1, Some(value))
    }
}

fn same<T: Copy>(left: usize, value: T) -> usize {
    if left == 0 {
        0
    } else {
        1 + same(left - 1, value)
    }
}

#[test]
fn of_tuples() {
    wrap(1);
}

#[test]
fn of_a_method() {
    Layer(1).go();
}

#[test]
fn of_a_trait() {
    1.deeper();
}

#[test]
fn of_numbers() {
    count::<0>();
}

#[test]
fn that_double() {
    double(1);
}

#[test]
fn of_mappings() {
    longer::<m![Row]>();
}

// Two instances, however deep it goes.
fn swap<A, B>(a: A, b: B, depth: u32) -> u32 {
    if depth == 0 { 0 } else { 1 + swap(b, a, depth - 1) }
}

#[test]
fn that_end_or_stay_the_same() {
    assert_eq!(swap(1u8, "one", 1000), 1000);
    assert_eq!(few(100, 1), 100);
    assert_eq!(same(5000, (1, 2)), 5000);
}
