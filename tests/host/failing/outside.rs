// expect: 0 passed, 1 failed, 0 ignored
// says: outside.rs:
// says: functions of other languages
// lacks: internal
extern "C" {
    fn abs(x: i32) -> i32;
}

#[test]
fn uses_it() {
    assert_eq!(unsafe { abs(-3) }, 3);
}
