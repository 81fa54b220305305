// expect: 2 passed, 6 failed, 0 ignored
// says: left: 4
// says: right: 5
// says: assertion `left == right` failed: row 3
// says: assertion failed: v.is_empty()
// says: 7 is not 8
// says: [Init(1), Uninit]
// says: Close { value: 1.5 }
// says: assertions.rs:25
// says: assertions.rs:31
use furiosa_visa_std::prelude::*;

#[test]
fn passes() {
    assert_eq!(2 + 2, 4);
}

#[test]
fn also_passes() {
    assert!(true);
}

#[test]
fn values_of_both_sides() {
    assert_eq!(2 + 2, 5);
}

#[test]
fn words_of_the_author() {
    let row = 3;
    assert_eq!(vec![1, 2], [1, 3], "row {row}");
}

#[test]
fn text_of_the_condition() {
    let v = vec![1];
    assert!(v.is_empty());
}

#[test]
fn words_for_a_condition() {
    let (a, b) = (7, 8);
    assert!(a == b, "{a} is not {b}");
}

#[test]
fn optional_values() {
    assert_eq!(vec![Opt::Init(1), Opt::Uninit], vec![Opt::Init(1), Opt::Init(2)]);
}

#[derive(Debug)]
struct Close {
    value: f32,
}

impl PartialEq for Close {
    fn eq(&self, other: &Self) -> bool {
        (self.value - other.value).abs() < 0.25
    }
}

#[test]
fn own_equality() {
    assert_eq!(Close { value: 1.5 }, Close { value: 1.7 });
    assert_eq!(Close { value: 1.5 }, Close { value: 2.0 });
}
