// expect: 1 passed, 2 failed, 0 ignored
// says: wrong_types.rs:14
// says: expected `i32`, found `&str`
// says: wrong_types.rs:19
// says: the program has 2 errors
#[test]
fn would_pass() {
    assert_eq!(1, 1);
}

#[test]
fn a_string_is_no_number() {
    fn twice(x: i32) -> i32 { x * 2 }
    assert_eq!(twice("4"), 8);
}

#[test]
fn a_method_that_is_not_there() {
    vec![1, 2].shuffle_backwards();
}
