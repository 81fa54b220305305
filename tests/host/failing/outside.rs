// expect: refused
// says: outside.rs:
// says: macro_rules
// lacks: internal
macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[test]
fn uses_it() {
    assert_eq!(square!(3), 9);
}
