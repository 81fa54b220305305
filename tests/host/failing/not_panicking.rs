// expect: 2 passed, 3 failed, 1 ignored
// says: did not panic
// says: something else
// says: this text
#[test]
#[should_panic]
fn panics() {
    panic!("as it should");
}

#[test]
#[should_panic(expected = "this")]
fn panics_with_this() {
    panic!("not that but this");
}

#[test]
#[should_panic]
fn does_not_panic() {}

#[test]
#[should_panic(expected = "this text")]
fn panics_with_other_words() {
    panic!("something else");
}

#[test]
#[should_panic(expected = "any")]
fn does_not_panic_with_words() {
    let _ = 1 + 1;
}

#[test]
#[ignore]
fn is_ignored() {
    panic!();
}
