// expect: refused
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
