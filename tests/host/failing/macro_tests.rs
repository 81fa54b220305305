// expect: 2 passed, 1 failed, 0 ignored
// says: twice_wrong (
// says: macro_tests.rs:17
// lacks: internal
macro_rules! doubling_tests {
    ($($name:ident: $given:expr => $wanted:expr,)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!($given * 2, $wanted);
            }
        )*
    };
}

// the place of each test is that of the call
doubling_tests! {
    twice_two: 2 => 4,
    twice_a_sum: 1 + 2 => 6,
    twice_wrong: 3 => 7,
}
