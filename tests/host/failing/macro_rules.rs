// expect: 0 passed, 1 failed, 0 ignored
// says: no rule of `pair!` fits what it is given
// says: the macro `forever!` calls itself without end
// lacks: internal
macro_rules! pair {
    ($a:expr, $b:expr) => {
        ($a, $b)
    };
}
macro_rules! forever {
    ($x:expr) => {
        forever!($x + 1)
    };
}

#[test]
fn calls() {
    let _ = pair!(1);
    let _ = forever!(1);
}
