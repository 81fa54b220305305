// expect: 0 passed, 1 failed, 0 ignored
// says: the macro `doubling!` becomes more than can be read
// lacks: internal
macro_rules! doubling {
    ($($t:tt)*) => { doubling!($($t)* $($t)*) };
}

#[test]
fn calls() {
    let _ = doubling!(1 2 3);
}
