// expect: 0 passed, 1 failed, 0 ignored
// says: <expansion of twice! in
// says: there is no value or function `missing` in scope
// says: the macro `later!` is not part of the language Contra reads
// says: declare it before it is called
// lacks: internal
macro_rules! twice {
    ($x:expr) => {
        $x + missing($x)
    };
}

#[test]
fn calls() {
    let _ = twice!(3);
    let _ = later!(3);
}

macro_rules! later {
    ($x:expr) => {
        $x
    };
}
