// A test and `main` are called without arguments.
struct Counter(i32);

impl Counter {
    #[test]
    fn method(&self) {} // expect error: E0417 a test takes no self
}

#[test]
fn generic<T: Default>() {} // expect error: E0417 a test has no generic parameters

#[test]
fn constant<const N: usize>() { // expect error: E0417 a test has no generic parameters
    assert_eq!(N, 1);
}

#[test]
fn takes(value: i32) { // expect error: E0417 a test takes nothing
    assert_eq!(value, 1);
}

#[test]
fn lifetime<'a>() {}

mod inner {
    pub fn main(value: i32) -> i32 {
        value
    }
}

fn main<T>() {} // expect error: E0417 main has no generic parameters
