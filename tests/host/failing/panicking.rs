// expect: 1 passed, 9 failed, 0 ignored
// says: a message of 3 parts
// says: panicking.rs:19
// says: called `Option::unwrap()` on a `None` value
// says: index out of bounds: the len is 2 but the index is 7
// says: attempt to divide by zero
// says: called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }
// says: what went wrong
// says: no first
// says: panicking.rs:62
// says: explicit panic
#[test]
fn passes() {
    assert_eq!("a".len(), 1);
}

#[test]
fn a_message() {
    panic!("a message of {} parts", 3);
}

#[test]
fn nothing_to_unwrap() {
    let v: Vec<i32> = vec![];
    v.iter().max().unwrap();
}

#[test]
fn an_index_too_large() {
    let v = vec![1, 2];
    let i = v.len() + 5;
    let _ = v[i];
}

#[test]
fn a_division_by_zero() {
    let zero = "".len();
    let _ = 10 / zero;
}

#[test]
fn an_error_to_unwrap() {
    let n: i32 = "12a".parse().unwrap();
    assert_eq!(n, 12);
}

#[test]
fn nothing_as_expected() {
    let v: Vec<i32> = vec![];
    v.first().expect("no first");
}

#[test]
fn without_words() {
    panic!();
}

fn helper(depth: u32) -> u32 {
    if depth > 0 {
        return helper(depth - 1);
    }
    unreachable!("the bottom")
}

#[test]
fn inside_a_helper() {
    helper(4);
}

#[test]
fn an_error_as_result() -> Result<(), String> {
    Err("what went wrong".to_string())
}
